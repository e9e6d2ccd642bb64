/**
 * The entries of table `search`. They are computed when a record is staged, and found by their beginning: a range of a sorted
 * table, in milliseconds at any size. To match inside words would take an entry for each three letters.
 */
import { fold } from "../../domain/text.ts";

/** The kinds of results, in the order in which a search lists equally good matches. */
export const GROUPS = { content: "1", site: "2", member: "3", team: "4" } as const;
export type SearchGroup = keyof typeof GROUPS;

/** Follows the group in an entry: `^` for a whole text, `+` for a word other than the first of a text. */
export type EntryMark = "^" | "+";

/** The indexed length of texts and words, in UTF-16 units. Longer texts and words are found by their beginning. */
const LONGEST_TEXT = 60;
const LONGEST_WORD = 30;

/** Matches printable ASCII with single spaces, for which case folding is enough. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Normalizes a text for search: case-folded like titles (docs/api.md), with single spaces. */
export function tidy(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return fold(text)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Splits a normalized text into words, which consist of letters, digits and combining marks. */
export function wordsOf(tidied: string): string[] {
  return tidied.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
}

/** The stored entry of a text or word. It is also the prefix of the entries of all longer texts that begin with it. */
export function entryOf(group: SearchGroup, mark: EntryMark, text: string): string {
  return `${GROUPS[group]}${mark}${cut(text, mark === "^" ? LONGEST_TEXT : LONGEST_WORD)}`;
}

/** All entries of a record with the given texts. Of an e-mail address, the words before the `@` have entries. */
export function entriesOf(group: SearchGroup, texts: readonly string[]): string[] {
  // An array, because most records have few entries, and hashing new texts for a set takes longer than comparing them.
  const entries: string[] = [];
  const add = (entry: string) => {
    if (!entries.includes(entry)) entries.push(entry);
  };
  for (const text of texts) {
    const tidied = tidy(text);
    if (tidied === "") continue;
    add(entryOf(group, "^", tidied));
    for (const [index, word] of wordsIn(tidied).entries()) {
      if (index > 0 || !tidied.startsWith(word)) add(entryOf(group, "+", word));
    }
  }
  return entries;
}

/** A normalized search text and its distinct words. */
export interface SearchQuery {
  readonly text: string;
  readonly words: readonly string[];
}

export function queryOf(text: string): SearchQuery {
  const tidied = tidy(text);
  return { text: tidied, words: [...new Set(wordsOf(tidied))] };
}

/**
 * Whether a record with the given texts matches: one text begins with the query, or each word of the query is the
 * beginning of a word in some text.
 */
export function matches(texts: readonly string[], { text, words }: SearchQuery): boolean {
  const tidied = texts.map(tidy);
  if (tidied.some((each) => each.startsWith(text))) return true;
  const known = tidied.flatMap(wordsIn);
  return words.length > 0 && words.every((word) => known.some((each) => each.startsWith(word)));
}

/** The searchable words of a normalized text; of an e-mail address, only those before the `@`. */
function wordsIn(tidied: string): string[] {
  const isAddress = tidied.includes("@") && !tidied.includes(" ");
  return wordsOf(isAddress ? (tidied.split("@", 1)[0] ?? "") : tidied);
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
