/**
 * Finds the contents whose effective roles may differ between two readings: roots, with a change of their own, and
 * heirs, which inherit from a root.
 */
import { type ContentKey } from "../../../../domain/content.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import type { Content } from "../../../directory/content.ts";
import { contents, ladderOf } from "../../../directory/inheritance.ts";
import type { Reading } from "../../../reading.ts";
import type { AccessChanges } from "../log/access-changes.ts";
import { inheritingFrom } from "./children.ts";
import type { ChangedRecord } from "../log/log.ts";
import { GIVEN } from "../users/content-tree.ts";
import { inBlocks } from "../../../turns.ts";

const BLOCK = 1000;

export interface Sides {
  readonly before: Reading;
  readonly after: Reading;
}

/** Whether `before` is the later revision, so that the comparison shows changes undone. */
export function isUndone({ before, after }: Sides): boolean {
  return before.at.revision > after.at.revision;
}

/** Sorts what belongs to the two sides by time. */
export function inTime<Value>(sides: Sides, had: Value, has: Value): [earlier: Value, later: Value] {
  return isUndone(sides) ? [has, had] : [had, has];
}

/** A content with a change of its own. Its effective roles are compared at both revisions. */
export interface Root {
  readonly content: ContentKey;
  /** The ladder at each revision; `undefined` if the content does not exist there. */
  readonly before: readonly Content[] | undefined;
  readonly after: readonly Content[] | undefined;
  readonly records: readonly ChangedRecord[];
}

/** An unchanged content that inherits from a root or from another heir. */
export interface Heir {
  readonly content: Content;
  readonly parent: ContentKey;
}

export interface Forest {
  readonly roots: ReadonlyMap<ContentKey, Root>;
  /** Parents come before the contents that inherit from them. */
  readonly heirs: ReadonlyMap<ContentKey, Heir>;
}

export async function forestOf(sides: Sides, changes: AccessChanges): Promise<Forest> {
  const records = await recordsByContent(sides, changes);
  const keys = [...records.keys()];
  const after = await loaded(sides.after, keys);
  const before = haveOneLadder(changes) ? after : await loaded(sides.before, keys);
  const ladder = (key: ContentKey, known: ReadonlyMap<ContentKey, Content>) => {
    const start = known.get(key);
    return start === undefined ? undefined : ladderOf(start, known);
  };
  const roots = new Map(
    [...records].map(([content, own]) => [
      content,
      { content, before: ladder(content, before), after: ladder(content, after), records: own },
    ]),
  );
  return { roots, heirs: await heirsOf(sides.after, roots) };
}

/** Loads the given contents, and the ancestors from which they inherit. */
async function loaded(reading: Reading, keys: readonly ContentKey[]): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  for await (const block of inBlocks(keys, BLOCK)) {
    for (const [key, content] of await contents(reading, block)) found.set(key, content);
  }
  return found;
}

/**
 * Whether both revisions have the same contents and team grants, so that the ladders of one revision serve for both.
 */
function haveOneLadder({ contents, permissions }: AccessChanges): boolean {
  return contents.size === 0 && permissions.every(({ member }) => member !== undefined);
}

/**
 * The changed records of each content: of the content itself, of permissions on it, and of memberships in teams with a
 * permission on it.
 */
async function recordsByContent(
  { before, after }: Sides,
  changes: AccessChanges,
): Promise<Map<ContentKey, ChangedRecord[]>> {
  const { contents: own, permissions, memberships } = changes;
  const found = new Map<ContentKey, ChangedRecord[]>();
  const add = (content: ContentKey, record: ChangedRecord) => {
    const records = found.get(content) ?? [];
    found.set(content, records);
    records.push(record);
  };
  for (const [content, record] of own) add(content, record);
  for (const record of permissions) if (record.content !== undefined) add(record.content, record);
  const joined = Map.groupBy(memberships, ({ team }) => team ?? "");
  if (joined.size === 0) return found;
  const teams = [...joined.keys()];
  const given = new Set<string>();
  for (const reading of haveOneLadder(changes) ? [after] : [before, after]) {
    for (const [content, team] of await reading.read(GIVEN, ...reading.asOf, teams)) {
      const pair = `${content} ${team}`;
      if (given.has(pair)) continue;
      given.add(pair);
      for (const record of joined.get(team) ?? []) add(decodeContent(content), record);
    }
  }
  return found;
}

/** All contents that inherit from the roots, level by level, without the roots. */
async function heirsOf(
  reading: Reading,
  roots: ReadonlyMap<ContentKey, Root>,
): Promise<Map<ContentKey, Heir>> {
  const heirs = new Map<ContentKey, Heir>();
  let level = [...roots.values()].filter(({ after }) => after !== undefined).map(({ content }) => content);
  while (level.length > 0) {
    const below = await inheritingFrom(reading, level, roots);
    for (const content of below) heirs.set(content.content, { content, parent: content.parent });
    level = below.map(({ content }) => content);
  }
  return heirs;
}
