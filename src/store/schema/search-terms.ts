/**
 * The entries of table `search`. They are computed when a record is staged, and found by their beginning: a range of a sorted
 * table, in milliseconds at any size. To match inside words would take an entry for each three letters.
 */
import { isAddress, tidy, wordsOf } from "../../domain/search.ts";
import { cut } from "../../domain/title-key.ts";

/** The kinds of results, in the order in which a search lists equally good matches. */
export const GROUPS = { content: "1", site: "2", member: "3", team: "4" } as const;
export type SearchGroup = keyof typeof GROUPS;

/** Follows the group in an entry: `^` for a whole text, `+` for a word other than the first of a text. */
export type EntryMark = "^" | "+";

/** The indexed length of texts and words, in UTF-16 units. Longer texts and words are found by their beginning. */
const LONGEST_TEXT = 60;
const LONGEST_WORD = 30;

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

/** The searchable words of a normalized text; of an e-mail address, only those before the `@`. */
function wordsIn(tidied: string): string[] {
  return wordsOf(isAddress(tidied) ? (tidied.split("@", 1)[0] ?? "") : tidied);
}
