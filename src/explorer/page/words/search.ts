import { fold } from "../../../domain/text.ts";

/** A range of a text; `end` is exclusive. */
export type TextRange = readonly [start: number, end: number];

/**
 * The ranges of `text` to highlight, in order: the first word beginning with the whole query, else the words beginning
 * with each word of the query. Both texts are folded as on the server.
 */
export function matchesIn(text: string, query: string): TextRange[] {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  const find = (wanted: string) =>
    starts.map((start) => rangeAt(text, start, wanted)).find((span) => span !== undefined);
  const whole = find(fold(query.trim()));
  if (whole) return [whole];
  // Keyed by start: if two words of the query match the same word, the longer match is kept.
  const spans = new Map<number, TextRange>();
  for (const word of fold(query).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    const span = find(word);
    if (span && span[1] > (spans.get(span[0])?.[1] ?? 0)) spans.set(span[0], span);
  }
  return [...spans.values()].sort(([a], [b]) => a - b);
}

/**
 * The shortest range from `start` that, folded, begins with `wanted`. It grows by one character at a time, because
 * folding may change the length ("ß" to "ss").
 */
function rangeAt(text: string, start: number, wanted: string): TextRange | undefined {
  if (wanted === "" || !fold(text.slice(start)).startsWith(wanted)) return undefined;
  for (let end = start + 1; end <= text.length; end++)
    if (fold(text.slice(start, end)).startsWith(wanted)) return [start, end];
  return undefined;
}

/** Describes a search, such as "a word that begins with “ana”". */
export function wordsThatBegin(query: string): string {
  return `${/\s/u.test(query.trim()) ? "words that begin" : "a word that begins"} with “${query}”`;
}
