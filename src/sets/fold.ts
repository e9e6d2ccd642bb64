import { WORDS, type Words } from "./words.ts";

/** A step of a fold: which set is taken, and which of the results its slots go to. */
export interface FoldStep {
  readonly set: number;
  readonly result: number;
}

/** The words that a fold works on: from one up to, not including, another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const WHOLE_CHUNK: Span = { from: 0, to: WORDS };

/** What a fold has found: the slots of each result, and all that were decided. */
export interface Folded {
  readonly results: readonly (Words | undefined)[];
  readonly decided: Words;
}

/**
 * Gives each slot that is not decided to the result of the first step whose set has it: `take = set & ~decided; result |=
 * take; decided |= take`. `sets` are those of one chunk; `undefined` where a set has nobody in it. A step without a
 * result there decides its slots, and they go nowhere.
 */
export function fold(
  steps: readonly FoldStep[],
  sets: readonly (Words | undefined)[],
  { results, decided }: Folded,
  { from, to }: Span = WHOLE_CHUNK,
): void {
  for (const { set, result } of steps) {
    const slots = sets[set];
    if (slots === undefined) continue;
    const into = results[result];
    for (let index = from; index < to; index++) {
      const known = decided[index] ?? 0;
      const take = (slots[index] ?? 0) & ~known;
      if (take === 0) continue;
      decided[index] = known | take;
      if (into !== undefined) into[index] = (into[index] ?? 0) | take;
    }
  }
}

/** Empties what a fold has found. */
export function clear({ results, decided }: Folded, { from, to }: Span = WHOLE_CHUNK): void {
  for (let place = 0; place < results.length; place++) {
    const words = results[place];
    if (words === undefined) continue;
    for (let index = from; index < to; index++) words[index] = 0;
  }
  for (let index = from; index < to; index++) decided[index] = 0;
}

/** Goes on with steps that were folded before, elsewhere: what these decided and nobody has decided here. */
export function foldOn(into: Folded, next: Folded, { from, to }: Span = WHOLE_CHUNK): void {
  for (let place = 0; place < next.results.length; place++) {
    const words = next.results[place];
    const own = into.results[place];
    if (words === undefined || own === undefined) continue;
    for (let index = from; index < to; index++) {
      const take = (words[index] ?? 0) & ~(into.decided[index] ?? 0);
      if (take !== 0) own[index] = (own[index] ?? 0) | take;
    }
  }
  for (let index = from; index < to; index++) {
    into.decided[index] = (into.decided[index] ?? 0) | (next.decided[index] ?? 0);
  }
}

/** Leaves each slot in the last of some results that has it, the highest one. */
export function keepHighest(results: readonly (Words | undefined)[], { from, to }: Span = WHOLE_CHUNK): void {
  for (let index = from; index < to; index++) {
    let higher = 0;
    for (let place = results.length - 1; place >= 0; place--) {
      const words = results[place];
      if (words === undefined) continue;
      const own = words[index] ?? 0;
      words[index] = own & ~higher;
      higher |= own;
    }
  }
}
