/** What search finds things by: entries of table `search`, made when a record is staged and read as ranges. */
import { fold } from "../../domain/text/title.ts";

/** Groups of things, in the order in which equally good matches are listed. */
export const GROUPS = { content: "1", site: "2", member: "3", team: "4" } as const;
export type Group = keyof typeof GROUPS;

/** `^` leads a whole text, cut; `+` a word further on in one. */
export type Mark = "^" | "+";

/** Longer texts and words are found by their beginning. In UTF-16 units. */
const LONGEST_TEXT = 60;
const LONGEST_WORD = 30;

/** Printable ASCII with single spaces: all that is left to do with it is its case. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** A text as search compares it: folded as titles are (contract, section 4), with single spaces. */
export function tidy(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return fold(text)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** The words of a tidied text: letters, digits and what modifies them. */
export function wordsOf(tidied: string): string[] {
  return tidied.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
}

/** The entry that a whole text or one of its words is stored under, and the beginning of those that begin with it. */
export function entryOf(group: Group, mark: Mark, text: string): string {
  return `${GROUPS[group]}${mark}${cut(text, mark === "^" ? LONGEST_TEXT : LONGEST_WORD)}`;
}

/** Every entry of a thing with these texts. Of an e-mail address only the words before the `@` are words. */
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

/** What is searched for, tidied, and its words, each once. */
export interface Query {
  readonly text: string;
  readonly words: readonly string[];
}

export function queryOf(text: string): Query {
  const tidied = tidy(text);
  return { text: tidied, words: [...new Set(wordsOf(tidied))] };
}

/** Whether a thing with these texts is found: one begins with the query, or each of its words begins a word. */
export function matches(texts: readonly string[], { text, words }: Query): boolean {
  const tidied = texts.map(tidy);
  if (tidied.some((each) => each.startsWith(text))) return true;
  const known = tidied.flatMap(wordsIn);
  return words.length > 0 && words.every((word) => known.some((each) => each.startsWith(word)));
}

/** The words that a tidied text is found by: of an e-mail address those before the `@`. */
function wordsIn(tidied: string): string[] {
  const isAddress = tidied.includes("@") && !tidied.includes(" ");
  return wordsOf(isAddress ? (tidied.split("@", 1)[0] ?? "") : tidied);
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
