/** Reads ranges of the search index (table `search`). A `thing` is a kind and an id, such as `team/ID`. */
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { Turns } from "../../../store/turns.ts";
import { entryOf, type Group, type Query } from "../../../store/schema/search-terms.ts";

/** The largest number of words that are looked up in the index. Callers compare the results with the whole query. */
const WORDS = 8;
/** A word with this many entries or more is too common to be read whole, and is skipped. */
const COMMON = 4_000;

export type Entry = [entry: string, thing: string];

const RANGE = statement<Entry>(
  () => `
    SELECT entry, thing FROM search
      WHERE generation = $1 AND entry >= $2 AND entry < $3 AND (entry, thing) > ($4, $5)
      ORDER BY entry, thing LIMIT $6`,
);

const FIRST: Entry = ["", ""];

/** A prefix followed by this character sorts after every text with that prefix. */
const LAST = "\u{10FFFF}";

/** Up to `size` entries that equal `entry` (`whole`) or begin with it, beginning after `last`. */
export function rangeOf(
  reading: Reading,
  entry: string,
  whole: boolean,
  last: Entry,
  size: number,
): Promise<Entry[]> {
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
  group: Group,
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
 * The things of a group that may match a query; the caller checks their texts. `undefined` if a range has more than
 * `most` entries. Without a limit, reads all entries of the most selective word, however common.
 */
export async function thingsMatching(
  reading: Reading,
  group: Group,
  query: Query,
  most: number,
): Promise<Set<string> | undefined> {
  const begun = await all(reading, entryOf(group, "^", query.text), most);
  if (begun === undefined) return undefined;
  // A query without words, such as one of punctuation, matches only texts that begin with the query.
  if (query.words.length === 0) return new Set(begun);
  const rare = await withWords(reading, group, query.words, Math.min(most, COMMON));
  if (rare !== undefined) return new Set([...begun, ...rare]);
  const [word = ""] = selectiveOf(query.words);
  const others = await Promise.all([
    word === query.text ? begun : all(reading, entryOf(group, "^", word), most),
    all(reading, entryOf(group, "+", word), most),
  ]);
  const [first, further] = others;
  return first === undefined || further === undefined ? undefined : new Set([...begun, ...first, ...further]);
}

/** All things whose entries begin with `entry`; `undefined` if there are more than `most`. */
async function all(reading: Reading, entry: string, most: number): Promise<string[] | undefined> {
  const things: string[] = [];
  let last = FIRST;
  const turns = new Turns();
  for (;;) {
    const rows = await rangeOf(reading, entry, false, last, COMMON);
    for (const [, thing] of rows) things.push(thing);
    if (things.length > most) return undefined;
    if (rows.length < COMMON) return things;
    last = rows.at(-1) ?? last;
    await turns.give();
  }
}
