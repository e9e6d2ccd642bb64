/** Folding: the results of the rules of a ladder for all slots of a chunk at once, the strongest rule first. */
import { type SlotList, type Slots, isList } from "./slots.ts";
import { WORDS, type Words } from "./words.ts";

/** A step of a fold: the indexes of a set and of the result that receives its slots. */
export interface FoldStep {
  readonly set: number;
  readonly result: number;
}

/** The outcome of a fold: the slots of each result, and every slot that a step has decided. */
export interface Folded {
  readonly results: readonly (Words | undefined)[];
  readonly decided: Words;
}

/**
 * Gives each undecided slot to the result of the first step whose set contains it: `take = set & ~decided; result |=
 * take; decided |= take`. `sets` has the sets of one chunk; an empty set is `undefined`. A step whose result is absent
 * from `results` decides its slots, and no result receives them.
 */
export function fold(
  steps: readonly FoldStep[],
  sets: readonly (Slots | undefined)[],
  { results, decided }: Folded,
): void {
  for (const { set, result } of steps) {
    const slots = sets[set];
    if (slots === undefined) continue;
    const into = results[result];
    if (isList(slots)) {
      takeList(slots, into, decided);
      continue;
    }
    for (let index = 0; index < WORDS; index++) {
      const known = decided[index] ?? 0;
      const take = (slots[index] ?? 0) & ~known;
      if (take === 0) continue;
      decided[index] = known | take;
      if (into !== undefined) into[index] = (into[index] ?? 0) | take;
    }
  }
}

/** The step of a set stored as a list: reads the listed slots instead of every word. */
function takeList(slots: SlotList, into: Words | undefined, decided: Words): void {
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0;
    const index = slot >>> 5;
    const known = decided[index] ?? 0;
    const take = (1 << (slot & 31)) & ~known;
    if (take === 0) continue;
    decided[index] = known | take;
    if (into !== undefined) into[index] = (into[index] ?? 0) | take;
  }
}

/** Continues a fold with the outcome of a later one, which gives results only to slots that are undecided in `into`. */
export function foldOn(into: Folded, next: Folded): void {
  for (let result = 0; result < next.results.length; result++) {
    const words = next.results[result];
    const own = into.results[result];
    if (words === undefined || own === undefined) continue;
    for (let index = 0; index < WORDS; index++) {
      const take = (words[index] ?? 0) & ~(into.decided[index] ?? 0);
      if (take !== 0) own[index] = (own[index] ?? 0) | take;
    }
  }
  for (let index = 0; index < WORDS; index++) {
    into.decided[index] = (into.decided[index] ?? 0) | (next.decided[index] ?? 0);
  }
}
