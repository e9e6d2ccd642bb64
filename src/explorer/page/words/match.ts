import { fold } from "../../../domain/text/title.ts";

/** Where something is in a text: [start, end). */
export type Span = readonly [start: number, end: number];

/**
 * Where `text` has what `query` found it by, in order: the beginning of a word that goes on with all of the query,
 * otherwise the beginnings that its words are. Both sides folded as the server folds them.
 */
export function marksOf(text: string, query: string): Span[] {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  const find = (wanted: string) =>
    starts.map((start) => spanAt(text, start, wanted)).find((span) => span !== undefined);
  const whole = find(fold(query.trim()));
  if (whole) return [whole];
  // By where they begin: two words of the query may begin the same one.
  const spans = new Map<number, Span>();
  for (const word of fold(query).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    const span = find(word);
    if (span && span[1] > (spans.get(span[0])?.[1] ?? 0)) spans.set(span[0], span);
  }
  return [...spans.values()].sort(([a], [b]) => a - b);
}

/** Folding may change a text's length ("ß", "ss"), so longer and longer pieces of the original are tried. */
function spanAt(text: string, start: number, wanted: string): Span | undefined {
  if (wanted === "" || !fold(text.slice(start)).startsWith(wanted)) return undefined;
  for (let end = start + 1; end <= text.length; end++)
    if (fold(text.slice(start, end)).startsWith(wanted)) return [start, end];
  return undefined;
}

/** What a search for `query` looks for: "a word that begins with “ana”". */
export function wordsThatBegin(query: string): string {
  return `${/\s/u.test(query.trim()) ? "words that begin" : "a word that begins"} with “${query}”`;
}
