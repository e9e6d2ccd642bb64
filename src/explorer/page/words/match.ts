import { fold } from "../../../domain/text/title.ts";

/** A range of a text: [start, end). */
export type Span = readonly [start: number, end: number];

/**
 * The ranges of `text` that match `query`, in order: the beginning of a word that continues with the whole query,
 * otherwise prefixes of words. Both sides are case-folded as on the server.
 */
export function marksOf(text: string, query: string): Span[] {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  const find = (wanted: string) =>
    starts.map((start) => spanAt(text, start, wanted)).find((span) => span !== undefined);
  const whole = find(fold(query.trim()));
  if (whole) return [whole];
  // The ranges by their start, because two words of the query may match the same word.
  const spans = new Map<number, Span>();
  for (const word of fold(query).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    const span = find(word);
    if (span && span[1] > (spans.get(span[0])?.[1] ?? 0)) spans.set(span[0], span);
  }
  return [...spans.values()].sort(([a], [b]) => a - b);
}

/**
 * The range that begins at `start` and, case-folded, begins with `wanted`. Tries longer and longer pieces of `text`,
 * because case folding may change the length ("ß", "ss").
 */
function spanAt(text: string, start: number, wanted: string): Span | undefined {
  if (wanted === "" || !fold(text.slice(start)).startsWith(wanted)) return undefined;
  for (let end = start + 1; end <= text.length; end++)
    if (fold(text.slice(start, end)).startsWith(wanted)) return [start, end];
  return undefined;
}

/** A description of a search: "a word that begins with “ana”". */
export function wordsThatBegin(query: string): string {
  return `${/\s/u.test(query.trim()) ? "words that begin" : "a word that begins"} with “${query}”`;
}
