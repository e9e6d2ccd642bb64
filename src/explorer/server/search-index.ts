/**
 * Candidates for a search: ranges of the search index (table `search`), what the index lacks at a past revision, and the
 * sets of members and spaces that match a text. A `thing` is a kind and an id, such as `team/ID`.
 */
import type { SmallHead } from "../../sets/head.ts";
import type { CacheKind } from "../../store/cache.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Reading } from "../../store/reading.ts";
import { holds, memberDoc } from "../../store/schema/as-of.ts";
import { RECORD_KINDS, type RecordKind } from "../../domain/record-change.ts";
import {
  type SearchGroup,
  type SearchQuery,
  entryOf,
  matches,
  queryOf,
} from "../../store/schema/search-terms.ts";
import { MEMBERS, SPACES, type Universe } from "../../store/schema/set-names.ts";
import { giveTurn, inBlocks } from "../../store/turns.ts";

/** The largest number of words that are looked up in the index. Callers compare the results with the whole query. */
const WORDS = 8;
/** A word with this many entries or more is too common to be read whole, and is skipped. */
const COMMON = 4_000;

export type SearchEntry = [entry: string, thing: string];

const RANGE = statement<SearchEntry>(
  () => `
    SELECT entry, thing FROM search
      WHERE generation = $1 AND entry >= $2 AND entry < $3 AND (entry, thing) > ($4, $5)
      ORDER BY entry, thing LIMIT $6`,
);

const FIRST: SearchEntry = ["", ""];

/** A prefix followed by this character sorts after every text with that prefix. */
const LAST = "\u{10FFFF}";

/** Up to `size` entries that equal `entry` (`whole`) or begin with it, beginning after `last`. */
export function rangeOf(
  reading: Reading,
  entry: string,
  whole: boolean,
  last: SearchEntry,
  size: number,
): Promise<SearchEntry[]> {
  const end = whole ? `${entry}\u0001` : `${entry}${LAST}`;
  return reading.read(RANGE, reading.generation, entry, end, ...last, size);
}

/** The first `size` things whose entries begin with `entry`. */
export async function under(reading: Reading, entry: string, size: number): Promise<string[]> {
  const rows = await rangeOf(reading, entry, false, FIRST, size);
  return rows.map(([, thing]) => thing);
}

/** The most selective words: the longest {@link WORDS}, without words that are a prefix of another. */
function selectiveOf(words: readonly string[]): string[] {
  const sorted = [...words].sort();
  return sorted
    .filter((word, index) => sorted[index + 1]?.startsWith(word) !== true)
    .sort((a, b) => b.length - a.length)
    .slice(0, WORDS);
}

/** The things of a group that have all given words; `undefined` if every word has `common` entries or more. */
export async function withWords(
  reading: Reading,
  group: SearchGroup,
  words: readonly string[],
  common = COMMON,
): Promise<Set<string> | undefined> {
  let found: Set<string> | undefined;
  for (const word of selectiveOf(words)) {
    const begun = await under(reading, entryOf(group, "^", word), common);
    const within = await under(reading, entryOf(group, "+", word), common);
    if (begun.length === common || within.length === common) continue;
    const things = new Set([...begun, ...within]);
    const before = found;
    found = before === undefined ? things : new Set([...things].filter((thing) => before.has(thing)));
  }
  return found;
}

/**
 * The things of a group that may match a query; the caller checks their texts. `undefined` if a range of the index has
 * more than `most` entries. The index has the texts of the last revision of the generation; at an earlier revision,
 * everything that changed since may have had other texts, and is a candidate too.
 */
export async function thingsMatching(
  reading: Reading,
  group: SearchGroup,
  query: SearchQuery,
  most: number,
): Promise<Set<string> | undefined> {
  const found = await indexed(reading, group, query, most);
  if (found === undefined) return undefined;
  for (const thing of await changedSince(reading, group, Number.MAX_SAFE_INTEGER)) found.add(thing);
  return found;
}

/** Those in the index. Without a limit, reads all entries of the most selective word, however common. */
async function indexed(
  reading: Reading,
  group: SearchGroup,
  query: SearchQuery,
  most: number,
): Promise<Set<string> | undefined> {
  const begun = await allUnder(reading, entryOf(group, "^", query.text), most);
  if (begun === undefined) return undefined;
  // A query without words, such as one of punctuation, matches only texts that begin with the query.
  if (query.words.length === 0) return new Set(begun);
  const rare = await withWords(reading, group, query.words, Math.min(most, COMMON));
  if (rare !== undefined) return new Set([...begun, ...rare]);
  const [word = ""] = selectiveOf(query.words);
  const others = await Promise.all([
    word === query.text ? begun : allUnder(reading, entryOf(group, "^", word), most),
    allUnder(reading, entryOf(group, "+", word), most),
  ]);
  const [first, further] = others;
  return first === undefined || further === undefined ? undefined : new Set([...begun, ...first, ...further]);
}

/** All things whose entries begin with `entry`; `undefined` if there are more than `most`. */
async function allUnder(reading: Reading, entry: string, most: number): Promise<string[] | undefined> {
  const things: string[] = [];
  let last = FIRST;
  for (;;) {
    const rows = await rangeOf(reading, entry, false, last, COMMON);
    for (const [, thing] of rows) things.push(thing);
    if (things.length > most) return undefined;
    if (rows.length < COMMON) return things;
    last = rows.at(-1) ?? last;
    await giveTurn();
  }
}

/** The kinds of records that hold a group's searchable texts, as the first and last of a range of `RECORD_KINDS`. */
const RECORDS: Readonly<Record<SearchGroup, readonly [RecordKind, RecordKind]>> = {
  member: ["user", "member"],
  team: ["team", "team"],
  content: ["collection", "space"],
  site: ["site", "site"],
};

type NamesRow = [member: string | null, team: string | null, content: string | null, site: string | null];

const CHANGED = statement<NamesRow>(
  () => `
    SELECT DISTINCT c.member, c.team, c.content, c.site FROM record_change c
      WHERE c.generation = $1 AND c.revision > $2 AND c.kind >= $3 AND c.kind <= $4 LIMIT $5`,
);

/**
 * Up to `most` members, teams, contents or sites whose record changed after the revision that is read, as kind and id,
 * such as `team/ID`.
 */
export async function changedSince(reading: Reading, group: SearchGroup, most: number): Promise<string[]> {
  const [first, last] = RECORDS[group];
  const rows = await reading.read(
    CHANGED,
    ...reading.asOf,
    RECORD_KINDS.indexOf(first),
    RECORD_KINDS.indexOf(last),
    most,
  );
  return rows.flatMap(([member, team, content, site]) => {
    if (content !== null) return [content];
    if (site !== null) return [`site/${site}`];
    return team !== null ? [`team/${team}`] : [`member/${member ?? ""}`];
  });
}

const THINGS_PER_READ = 1000;

const KIND: CacheKind<SmallHead> = {
  name: "named",
  bytes: ({ positions }) => 100 + 4 * positions.length,
};

/**
 * A position and its searchable text. The text is compared with the query, because the index also has members and
 * spaces that match only at another revision.
 */
type TextRow = [position: number, text: string];

const MEMBER_ROWS = statement<TextRow>(
  ({ texts }) => `
    SELECT m.position, ${memberDoc("m")} FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);
const SPACE_ROWS = statement<TextRow>(
  ({ texts }) => `
    SELECT c.position, c.title FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

const UNIVERSES = {
  [MEMBERS]: {
    group: "member",
    rows: MEMBER_ROWS,
    keyOf: (thing: string) => thing.slice("member/".length),
    textsOf(document: string): string[] {
      const { displayName, email }: { displayName: string; email?: string } = JSON.parse(document);
      return email === undefined ? [displayName] : [displayName, email];
    },
  },
  [SPACES]: {
    group: "content",
    rows: SPACE_ROWS,
    keyOf: (thing: string) => thing,
    textsOf: (title: string) => [title],
  },
} as const;

/** The set of everything that matches `text`, if it is in the cache. */
export function knownMatching(reading: Reading, universe: Universe, text: string): SmallHead | undefined {
  return reading.cache.get(KIND, reading.at, `${universe}/${queryOf(text).text}`);
}

/** The set of everything that matches `text`; `undefined` if the index has more than `most` entries for it. */
export async function positionsMatching(
  reading: Reading,
  universe: Universe,
  text: string,
  most = Number.POSITIVE_INFINITY,
): Promise<SmallHead | undefined> {
  const query = queryOf(text);
  const known = knownMatching(reading, universe, text);
  if (known !== undefined) return known;
  const things = await thingsMatching(reading, UNIVERSES[universe].group, query, most);
  if (things === undefined) return undefined;
  return reading.cache.once(KIND, reading.at, `${universe}/${query.text}`, () =>
    headOf(reading, universe, query, [...things]),
  );
}

async function headOf(
  reading: Reading,
  universe: Universe,
  query: SearchQuery,
  things: readonly string[],
): Promise<SmallHead> {
  const { rows, keyOf, textsOf } = UNIVERSES[universe];
  const found: number[] = [];
  for await (const block of inBlocks(things, THINGS_PER_READ)) {
    for (const [position, text] of await reading.read(rows, ...reading.asOf, block.map(keyOf))) {
      if (matches(textsOf(text), query)) found.push(position);
    }
  }
  return { positions: Uint32Array.from(found).sort() };
}
