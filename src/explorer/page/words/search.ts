import { fold } from "../../../domain/text.ts";

/** A range of a text; `end` is exclusive. */
export type TextRange = readonly [start: number, end: number];

/**
 * The ranges of `text` to highlight, in order: where the whole query is, else where each of its words is; at the beginning
 * of a word rather than inside one. Both texts are folded as on the server.
 */
export function matchesIn(text: string, query: string): TextRange[] {
  const startsOf = (pattern: RegExp) => [...text.matchAll(pattern)].map(({ index }) => index);
  const starts = [...startsOf(/(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu), ...startsOf(/[\p{L}\p{N}]/gu)];
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

/** Describes a search, such as "“ana” in a word". */
export function inWords(query: string): string {
  return `“${query}” in ${/\s/u.test(query.trim()) ? "its words" : "a word"}`;
}
