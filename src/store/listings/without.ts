/**
 * What removing sources of access changes: on one content ({@link differenceWithout}), for how many people anywhere
 * ({@link peopleWithout}), and on each content that inherits ({@link countsWithout}). Each compares two accesses. The
 * effects of single removals do not add up: each of two sources may be redundant only as long as the other one exists.
 */
import { limit } from "../../sets/limit.ts";
import type { ContentKey, DefaultLevel } from "../../domain/content.ts";
import { DIRECTIONS, type Effect, sourcePhrase } from "../../domain/difference.ts";
import { compareIds } from "../../domain/id.ts";
import type { Phrase } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import { type Removal, type Without, ladderWithout, writeWithout } from "../../domain/without.ts";
import { type Head, hasChunk } from "../../sets/head.ts";
import { addAll } from "../../sets/words.ts";
import type { CacheKind } from "../cache.ts";
import {
  type Content,
  ancestryOf,
  withAncestors,
  contents,
  ladderOf,
  laddersIn,
} from "../directory/contents.ts";
import { memberOf, withDirectOn } from "../directory/members.ts";
import { personOf } from "../directory/person.ts";
import { teamNodes } from "../directory/teams.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import { contentTitleKey } from "../../domain/title-key.ts";
import { decodeContent } from "../schema/encoding.ts";
import { MEMBERS } from "../schema/set-names.ts";
import { universeIndex } from "../memory/universe.ts";
import { descend } from "../directory/below.ts";
import { inTurns, sortedInTurns } from "../turns.ts";
import type { Access } from "./access.ts";
import { AccessDifference, type CountsByChunk, added, countsIn, noDifference } from "./difference.ts";
import { Heirs, Part } from "./heirs.ts";
import type { LeftOut } from "./palette.ts";
import { accessOnContent, accessOnLadders, teamSet } from "./subject.ts";

/** The cached part of a difference: the access without the source, and the counts of the chunks compared so far. */
interface KnownDifference {
  readonly access: Access;
  readonly counts: CountsByChunk;
}

const WITHOUT: CacheKind<KnownDifference> = { name: "without", bytes: ({ access }) => 50_000 + access.size };

const NONE: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };

/**
 * The difference on a content; `undefined` if the content does not exist. The direct permissions in `gone` are absent
 * before and after.
 */
export async function differenceWithout(
  reading: Reading,
  key: ContentKey,
  removed: readonly Removal[],
  gone?: LeftOut,
): Promise<AccessDifference | undefined> {
  const loaded = await withAncestors(reading, [key]);
  const start = loaded.get(key);
  if (start === undefined) return undefined;
  const now = ladderOf(start, loaded);
  const then = ladderWithout(ancestryOf(start, loaded), removed);
  // Without a default level, the levels above it count, too.
  const levels = new Set([...now, ...then].map(({ content }) => content));
  const here = removed.filter((each) => !("content" in each) || levels.has(each.content));
  const before = gone === undefined ? accessOnContent(reading, key) : accessOnLadders(reading, [now], gone);
  const make = async (): Promise<KnownDifference> => {
    const access = await accessOnLadders(reading, [then], await leftOutBy(reading, here, gone));
    return { access, counts: new Map() };
  };
  const [only] = removed;
  const isAlone = gone === undefined && removed.length === 1 && only !== undefined && only.of !== "closing";
  const { access, counts } = await (isAlone
    ? reading.cache.once(WITHOUT, reading.at, `${key} ${writeWithout(only)}`, make)
    : make());
  const had = await before;
  const within = await whereOf(reading, here);
  return had && new AccessDifference({ reading, access: had }, { reading, access }, { within, counts });
}

/** The positions that permissions lose: those in `gone`, and those of removed direct permissions. */
async function leftOutBy(
  reading: Reading,
  removed: readonly Removal[],
  gone: LeftOut | undefined,
): Promise<LeftOut | undefined> {
  const found = new Map(gone);
  for (const each of removed) {
    if (each.of !== "user") continue;
    const member = await memberOf(reading, each.user);
    if (member !== undefined) found.set(each.content, [...(found.get(each.content) ?? []), member.position]);
  }
  return found.size === 0 ? undefined : found;
}

/** Returns a function that tests whether roles in a chunk may differ, by whom the removed sources concern. */
async function whereOf(reading: Reading, removed: readonly Removal[]): Promise<(chunk: number) => boolean> {
  if (removed.some(({ of }) => of === "default" || of === "closing")) return () => true;
  const heads: Head[] = [];
  for (const each of removed) {
    if ("team" in each) heads.push((await teamSet(reading, each.team)).head);
    else if (each.of === "user") {
      const member = await memberOf(reading, each.user);
      if (member !== undefined) heads.push({ positions: Uint32Array.of(member.position) });
    }
  }
  return (chunk) => heads.some((head) => hasChunk(head, chunk));
}

/** The number of affected people so far, and the progress of the count. */
interface CountedPeople {
  readonly counts: Effect;
  /** The number of counted chunks. `of` is the number of all chunks. */
  readonly done: number;
  readonly of: number;
}

/** What is counted of the people: by default, everything. */
interface CountingOptions {
  /** The index of the first chunk to count. */
  readonly from?: number;
  /** The milliseconds after which no further chunk begins. At least one chunk is counted. */
  readonly budget?: number;
  /** Direct permissions that are absent before and after. */
  readonly gone?: LeftOut;
}

/** The maximum number of contents whose differences are kept in memory during the count. */
const AT_HAND = limit("without.people-at-hand", 1024);

/**
 * Counts the people who lose access, get a lower or higher role, or gain access on some content if all of `removed` is
 * removed. A person counts once per direction. Compares only the contents on which a source is set, because contents
 * that inherit from them affect no further people.
 */
export async function peopleWithout(
  reading: Reading,
  removed: readonly Removal[],
  { from = 0, budget = Number.POSITIVE_INFINITY, gone }: CountingOptions = {},
): Promise<CountedPeople> {
  const roots = await setOn(reading, removed);
  const mayDiffer = await whereOf(reading, removed);
  const { chunks } = await universeIndex(reading, MEMBERS);
  const some = roots.length === 0 ? [] : chunks.filter(mayDiffer);
  const atHand = new Map<ContentKey, AccessDifference>();
  const begun = performance.now();
  let counts = NONE;
  let done = from;
  for await (const number of inTurns(some.slice(from))) {
    const all = noDifference();
    for await (const root of inTurns(roots)) {
      const known = atHand.get(root) ?? (await differenceWithout(reading, root, removed, gone));
      if (known === undefined) continue;
      if (atHand.size < AT_HAND) atHand.set(root, known);
      if (known.mayDiffer(number)) {
        await known.at(number, ({ directions }) => {
          for (const direction of DIRECTIONS) addAll(all[direction], directions[direction]);
        });
      }
    }
    counts = added(counts, countsIn(all));
    done++;
    if (performance.now() - begun > budget) break;
  }
  return { counts, done, of: some.length };
}

interface InheritingContent {
  readonly content: ContentKey;
  readonly title: string;
  /** The sort key in lists by title. */
  readonly position: string;
}

const CONCERNED: CacheKind<readonly InheritingContent[]> = {
  name: "inheriting",
  bytes: (found) =>
    found.reduce((sum, { content, position }) => sum + 150 + 2 * (content.length + 2 * position.length), 0),
};

/** The contents that inherit from a content, directly or through others. Empty for a space. */
async function* inheritingFrom(reading: Reading, key: ContentKey): AsyncGenerator<InheritingContent> {
  if (!key.startsWith("collection/")) return;
  for await (const some of descend(reading, [key], true)) {
    for (const { content, title } of some)
      yield { content, title, position: contentTitleKey(content, title) };
  }
}

/**
 * The contents that a source affects: those on which the source is set, and those that inherit from them. By title,
 * without duplicates.
 */
export function concernedBy(reading: Reading, without: Without): Promise<readonly InheritingContent[]> {
  return reading.cache.once(CONCERNED, reading.at, `without ${writeWithout(without)}`, async () => {
    const roots = await setOn(reading, [without]);
    const loaded = await contents(reading, roots);
    const found = new Map<ContentKey, InheritingContent>();
    for (const root of roots) {
      // If an earlier root's contents include this root, they include everything that inherits from it, too.
      if (found.has(root)) continue;
      const title = loaded.get(root)?.title ?? "";
      found.set(root, { content: root, title, position: contentTitleKey(root, title) });
      for await (const below of inheritingFrom(reading, root)) found.set(below.content, below);
    }
    return sortedInTurns([...found.values()], byTitle);
  });
}

function byTitle({ position: a }: InheritingContent, { position: b }: InheritingContent): number {
  return compareIds(a, b);
}

export interface NamedSource {
  readonly without: Without;
  /** The role or default level that the source gives. Absent for a team, whose grants may have several roles. */
  readonly gives?: Role | DefaultLevel;
  /** The source in words, for example “team Docs’s edit on collection Handbook”. */
  readonly phrase: Phrase;
}

/** A source as of the revision; `undefined` if it does not exist. A default level of `inherit` is not a source. */
export async function sourceOf(reading: Reading, without: Without): Promise<NamedSource | undefined> {
  const gives = await givenBy(reading, without);
  if (gives === undefined) return undefined;
  const [content, team, member] = await Promise.all([
    "content" in without ? contents(reading, [without.content]) : undefined,
    "team" in without ? teamNodes(reading, [without.team]) : undefined,
    without.of === "user" ? memberOf(reading, without.user) : undefined,
  ]);
  const phrase = sourcePhrase(without, gives === "" ? undefined : gives, {
    content: (key) => content?.get(key)?.title ?? key,
    team: (id) => team?.get(id)?.title ?? id,
    user: (id) => (member === undefined ? id : personOf(member).displayName),
  });
  return gives === "" ? { without, phrase } : { without, gives, phrase };
}

/** The role or default level that a source gives; "" for an existing team; `undefined` if the source does not exist. */
async function givenBy(reading: Reading, without: Without): Promise<Role | DefaultLevel | "" | undefined> {
  if (without.of === "team") {
    return (await teamNodes(reading, [without.team])).has(without.team) ? "" : undefined;
  }
  const content = (await contents(reading, [without.content])).get(without.content);
  if (content === undefined) return undefined;
  if (without.of === "default") return content.defaultLevel === "inherit" ? undefined : content.defaultLevel;
  if (without.of === "grant") return content.teams.get(without.team);
  const member = await memberOf(reading, without.user);
  const found = member && (await withDirectOn(reading, member, [[content]]));
  return found?.direct.get(without.content);
}

const GIVEN = statement<[content: string]>(
  ({ by }) => `
    SELECT g.content FROM team_grant g${by("team_grant_of_team")}
      WHERE ${holds("g")} AND g.team = $3 ORDER BY g.content`,
);

/** The contents on which sources are set: only these, and the contents that inherit from them, are affected. */
async function setOn(reading: Reading, removed: readonly Removal[]): Promise<ContentKey[]> {
  const found = new Set<ContentKey>();
  for (const each of removed) {
    if ("content" in each) found.add(each.content);
    else {
      const rows = await reading.read(GIVEN, ...reading.asOf, each.team);
      for (const [content] of rows) found.add(decodeContent(content));
    }
  }
  return [...found];
}

/** The number of members whose role changes on each of the given contents, by direction, if sources are removed. */
export async function countsWithout(
  reading: Reading,
  removed: readonly Removal[],
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Effect>> {
  const loaded = await contents(reading, keys);
  const isRoot = (key: ContentKey) => {
    const content = loaded.get(key);
    return content !== undefined && removed.some((each) => isSetOn(content, each));
  };
  const heirs = await Heirs.of(reading, laddersIn(loaded, keys), isRoot);
  const roots = new Map<number, AccessDifference>();
  for (const [number, key] of heirs.keys.entries()) {
    const difference = isRoot(key) ? await differenceWithout(reading, key, removed) : undefined;
    if (difference !== undefined) roots.set(number, difference);
  }
  const counts = new Map(keys.map((key) => [key, NONE]));
  for await (const chunk of inTurns((await universeIndex(reading, MEMBERS)).chunks)) {
    const parts = new Map<number, Part | undefined>();
    for (const [root, difference] of roots) {
      const isSame = !difference.mayDiffer(chunk);
      const part = isSame
        ? undefined
        : await difference.at(chunk, ({ directions }) => Part.of(root, directions));
      parts.set(root, part);
    }
    await heirs.inChunk(reading, chunk, parts, (number, { effect }) => {
      const key = heirs.keys[number] ?? "space/";
      const known = counts.get(key);
      if (known !== undefined) counts.set(key, added(known, effect));
    });
  }
  return counts;
}

function isSetOn({ content, teams }: Content, removed: Removal): boolean {
  return "content" in removed ? removed.content === content : teams.has(removed.team);
}
