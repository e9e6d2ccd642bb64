/**
 * Finds the contents whose effective roles may differ between two readings: roots, with a change of their own, and
 * heirs, which inherit from a root.
 */
import { type ContentKey, idOf, kindOf } from "../../../domain/content.ts";
import { type Role, roleOf } from "../../../domain/role.ts";
import { type Content, contents, ladderOf } from "../../directory/contents.ts";
import { type Dialect, statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { INHERIT, decodeContent } from "../../schema/encoding.ts";
import { inBlocks } from "../../turns.ts";
import type { AccessChanges, ChangedRecord, TwoReadings } from "./log.ts";
import { GIVEN } from "./content-tree.ts";

const BLOCK = 1000;

/** A content with a change of its own. Its effective roles are compared at both revisions. */
export interface Root {
  readonly content: ContentKey;
  /** The ladder at each revision; `undefined` if the content does not exist there. */
  readonly before: readonly Content[] | undefined;
  readonly after: readonly Content[] | undefined;
  readonly records: readonly ChangedRecord[];
}

/** An unchanged content that inherits from a root or from another heir. */
interface Heir extends Omit<Content, "direct"> {
  readonly parent: ContentKey;
}

export interface Forest {
  readonly roots: ReadonlyMap<ContentKey, Root>;
  /** Parents come before the contents that inherit from them. */
  readonly heirs: ReadonlyMap<ContentKey, Heir>;
}

export async function forestOf(sides: TwoReadings, changes: AccessChanges): Promise<Forest> {
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
export async function loaded(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
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
  { before, after }: TwoReadings,
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
    const below = (await inheritingFrom(reading, level)).filter(({ content }) => !roots.has(content));
    for (const heir of below) heirs.set(heir.content, heir);
    level = below.map(({ content }) => content);
  }
  return heirs;
}

/** SQL: the entries of the lists of contents directly in the given collections. */
const LISTED = ({ texts, lookUp }: Dialect) =>
  lookUp(texts("$3", "wanted"), "catalog", "k", `${holds("k")} AND k.list = wanted.value`);

/** The column `own` is 1 if the content has permissions of its own. */
const INHERITING = statement<[id: string, parent: string, title: string, own: number]>(
  (dialect) => `
    SELECT c.id, c.parent, c.title, k.own FROM ${dialect.lookUp(
      `(SELECT k.thing, k.own FROM ${LISTED(dialect)}) k`,
      "content",
      "c",
      `${holds("c")} AND c.id = k.thing AND c.level = ${INHERIT}`,
    )}`,
);

const GRANTS = statement<[content: string, team: string, role: number]>(
  ({ texts, lookUp }) => `
    SELECT g.content, g.team, g.role FROM ${lookUp(
      texts("$3", "wanted"),
      "team_grant",
      "g",
      `${holds("g")} AND g.content = wanted.value`,
    )}`,
);

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

/** The contents that inherit directly from one of the given collections, with their team grants. */
async function inheritingFrom(reading: Reading, keys: readonly ContentKey[]): Promise<Heir[]> {
  const lists = keys.filter((key) => kindOf(key) === "collection").map((key) => `in/${idOf(key)}`);
  if (lists.length === 0) return [];
  const rows = await reading.read(INHERITING, ...reading.asOf, lists);
  const teams = new Map<string, Map<string, Role>>();
  const granted = rows.flatMap(([id, , , own]) => (own === 1 ? [id] : []));
  for (const [content, team, role] of await reading.read(GRANTS, ...reading.asOf, granted)) {
    const held = teams.get(content) ?? new Map<string, Role>();
    teams.set(content, held.set(team, roleOf(role)));
  }
  return rows.map(([id, parent, title]) => ({
    content: decodeContent(id),
    title,
    parent: decodeContent(parent),
    defaultLevel: "inherit",
    teams: teams.get(id) ?? NO_TEAMS,
  }));
}
