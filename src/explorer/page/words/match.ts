import { fold } from "../../../domain/title.ts";

/**
 * Where the first match of `query` lies in `text`, as [start, end), both sides folded as the server folds them;
 * `undefined` if it is not there. Folding may change a text's length ("ß", "ss"), so pieces of the original are
 * tried, which is fine for the few short titles of a result.
 */
export function match(text: string, query: string): readonly [number, number] | undefined {
  const wanted = fold(query);
  if (wanted === "" || !fold(text).includes(wanted)) return undefined;
  for (let start = 0; start < text.length; start++) {
    if (!fold(text.slice(start)).startsWith(wanted)) continue;
    for (let end = start + 1; end <= text.length; end++)
      if (fold(text.slice(start, end)).startsWith(wanted)) return [start, end];
  }
  return undefined;
}
