/** What a search compares: normalized texts, their words, and how well they match (`SearchAnswer` in explorer/wire). */
import { compareIds } from "./id.ts";
import { fold } from "./text.ts";

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

/** Whether a normalized text is an e-mail address, of which only the words before the `@` count. */
export function isAddress(tidied: string): boolean {
  return tidied.includes("@") && !tidied.includes(" ");
}

/** A normalized search text and its distinct words. */
export interface SearchQuery {
  readonly text: string;
  readonly words: readonly string[];
  /** The shortest word that begins no other one: it sorts what has all words. */
  readonly shortest: string;
}

export function queryOf(text: string): SearchQuery {
  const tidied = tidy(text);
  const words = [...new Set(wordsOf(tidied))];
  const sorted = words.toSorted();
  const apart = sorted.filter((word, nth) => sorted[nth + 1]?.startsWith(word) !== true);
  // Of several, the last one in the order of words.
  const [shortest = ""] = apart.toReversed().sort((a, b) => a.length - b.length);
  return { text: tidied, words, shortest };
}

/** Whether a record with the given texts matches. */
export function matches(texts: readonly string[], query: SearchQuery): boolean {
  return matchesTidied(texts.map(tidy), query);
}

/** As {@link matches}, of normalized texts: one begins with the query, or each word of the query is inside one. */
export function matchesTidied(texts: readonly string[], { text, words }: SearchQuery): boolean {
  if (texts.some((each) => each.startsWith(text))) return true;
  const parts = texts.map(counting);
  return words.length > 0 && words.every((word) => parts.some((part) => part.includes(word)));
}

/** The part of a normalized text whose words count. */
function counting(tidied: string): string {
  return isAddress(tidied) ? tidied.slice(0, tidied.indexOf("@")) : tidied;
}

/** How well something matches: a lower grade is better; those of one grade are in the order of `by`, as ids are. */
export interface Match {
  readonly grade: Grade;
  readonly by: string;
}

/**
 * Texts that are the query; that begin with it; that begin with its two words swapped; in which each word of the query
 * begins a word, and one begins the text; each begins a word; or is inside one.
 */
export const GRADES = ["whole", "beginning", "swapped", "first", "words", "inside"] as const;
export type Grade = (typeof GRADES)[number];

/** How well a record with these normalized texts matches; `undefined` if it does not. */
export function matchOf(texts: readonly string[], query: SearchQuery): Match | undefined {
  const { text, words, shortest } = query;
  if (text === "") return undefined;
  const beginning = firstOf(texts, text);
  if (beginning === text) return { grade: "whole", by: "" };
  if (beginning !== undefined) return { grade: "beginning", by: beginning };
  if (!matchesTidied(texts, query)) return undefined;
  const [one, other] = words;
  const swapped = words.length === 2 ? firstOf(texts, `${other} ${one}`) : undefined;
  if (swapped !== undefined) return { grade: "swapped", by: swapped };
  const parts = texts.map(counting);
  if (!words.every((word) => parts.some((part) => hasWordFrom(part, word))))
    return { grade: "inside", by: texts[0] ?? "" };
  const first = firstOf(texts, shortest);
  return first === undefined
    ? { grade: "words", by: firstOf(parts.flatMap(wordsOf), shortest) ?? "" }
    : { grade: "first", by: first };
}

/** The smallest of the texts that begin with `beginning`. */
function firstOf(texts: readonly string[], beginning: string): string | undefined {
  let first: string | undefined;
  for (const text of texts)
    if (text.startsWith(beginning) && (first === undefined || compareIds(text, first) < 0)) first = text;
  return first;
}

/** Whether a word of the text begins with `beginning`. */
function hasWordFrom(text: string, beginning: string): boolean {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1))
    if (at === 0 || !/[\p{L}\p{N}\p{M}]$/u.test(text.slice(Math.max(0, at - 2), at))) return true;
  return false;
}
