/** The entries of table `search`. They are made when a record is staged, and searched as ranges. */
import { fold } from "../../domain/text/title.ts";

/** Groups of results. Equally good matches are listed in this order. */
export const GROUPS = { content: "1", site: "2", member: "3", team: "4" } as const;
export type Group = keyof typeof GROUPS;

/** The first character of an entry after its group: `^` for a whole text, `+` for a word after the text's first. */
export type Mark = "^" | "+";

/** The indexed length of texts and words, in UTF-16 units. Longer ones are found by their beginning. */
const LONGEST_TEXT = 60;
const LONGEST_WORD = 30;

/** Printable ASCII with single spaces, which only needs case folding. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** A text as search compares it: folded like titles (contract, section 4), with single spaces. */
export function tidy(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return fold(text)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** The words of a tidied text: letters, digits and combining marks. */
export function wordsOf(tidied: string): string[] {
  return tidied.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
}

/** The stored entry of a text or word. It is also the prefix of all entries that begin with that text. */
export function entryOf(group: Group, mark: Mark, text: string): string {
  return `${GROUPS[group]}${mark}${cut(text, mark === "^" ? LONGEST_TEXT : LONGEST_WORD)}`;
}

/** All entries of a record with these texts. In an e-mail address, only the part before the `@` has words. */
export function entriesOf(group: Group, texts: readonly string[]): string[] {
  const entries = new Set<string>();
  for (const text of texts) {
    const tidied = tidy(text);
    if (tidied === "") continue;
    entries.add(entryOf(group, "^", tidied));
    const [first, ...others] = wordsIn(tidied);
    if (first !== undefined && !tidied.startsWith(first)) entries.add(entryOf(group, "+", first));
    for (const word of others) entries.add(entryOf(group, "+", word));
  }
  return [...entries];
}

/** A search text, tidied, and its distinct words. */
export interface Query {
  readonly text: string;
  readonly words: readonly string[];
}

export function queryOf(text: string): Query {
  const tidied = tidy(text);
  return { text: tidied, words: [...new Set(wordsOf(tidied))] };
}

/**
 * Whether a record with these texts matches: a text begins with the query, or each word of the query begins a word of
 * a text.
 */
export function matches(texts: readonly string[], { text, words }: Query): boolean {
  const tidied = texts.map(tidy);
  if (tidied.some((each) => each.startsWith(text))) return true;
  const known = tidied.flatMap(wordsIn);
  return words.length > 0 && words.every((word) => known.some((each) => each.startsWith(word)));
}

/** The searchable words of a tidied text; for an e-mail address, only those before the `@`. */
function wordsIn(tidied: string): string[] {
  const isAddress = tidied.includes("@") && !tidied.includes(" ");
  return wordsOf(isAddress ? (tidied.split("@", 1)[0] ?? "") : tidied);
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
