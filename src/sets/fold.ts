import { isList, type SlotList, type Slots } from "./slots.ts";
import { WORDS, type Words } from "./words.ts";

/** A step of a fold: the set to take, and the result that its slots go to. */
export interface FoldStep {
  readonly set: number;
  readonly result: number;
}

/** The words that a fold covers: from the first up to, but not including, the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const WHOLE_CHUNK: Span = { from: 0, to: WORDS };

/** The outcome of a fold: the slots of each result, and all decided slots. */
export interface Folded {
  readonly results: readonly (Words | undefined)[];
  readonly decided: Words;
}

/**
 * Gives each undecided slot to the result of the first step whose set contains it: `take = set & ~decided; result |=
 * take; decided |= take`. `sets` has the sets of one chunk, and `undefined` for an empty set. A step without a result
 * decides its slots without giving them one.
 */
export function fold(
  steps: readonly FoldStep[],
  sets: readonly (Slots | undefined)[],
  { results, decided }: Folded,
  span: Span = WHOLE_CHUNK,
): void {
  const { from, to } = span;
  for (const { set, result } of steps) {
    const slots = sets[set];
    if (slots === undefined) continue;
    const into = results[result];
    if (isList(slots)) {
      takeList(slots, into, decided, span);
      continue;
    }
    for (let index = from; index < to; index++) {
      const known = decided[index] ?? 0;
      const take = (slots[index] ?? 0) & ~known;
      if (take === 0) continue;
      decided[index] = known | take;
      if (into !== undefined) into[index] = (into[index] ?? 0) | take;
    }
  }
}

/** Applies one step whose set is stored as a short list: reads the listed slots instead of all words. */
function takeList(slots: SlotList, into: Words | undefined, decided: Words, { from, to }: Span): void {
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0;
    const index = slot >>> 5;
    const known = decided[index] ?? 0;
    const take = (1 << (slot & 31)) & ~known;
    if (take === 0 || index < from || index >= to) continue;
    decided[index] = known | take;
    if (into !== undefined) into[index] = (into[index] ?? 0) | take;
  }
}

/** Clears the outcome of a fold, so that its memory can be used again. */
export function clear({ results, decided }: Folded, { from, to }: Span = WHOLE_CHUNK): void {
  for (let place = 0; place < results.length; place++) {
    const words = results[place];
    if (words === undefined) continue;
    for (let index = from; index < to; index++) words[index] = 0;
  }
  for (let index = from; index < to; index++) decided[index] = 0;
}

/** Adds the outcome of another fold for the slots that are undecided here. */
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

/** Keeps each slot only in the last of the results that contain it, the highest. */
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
