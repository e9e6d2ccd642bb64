/**
 * Folding: the results of the rules of a ladder for all slots of a chunk at once, the strongest rule first; and the
 * difference of two folds.
 */
import { type SlotList, type Slots, isList } from "./slots.ts";
import { WORDS, type Words, addAll, noSlots } from "./words.ts";

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

/** The results of a fold, by index. Each slot is in at most one result. */
export type Results = readonly (Words | undefined)[];

/**
 * The slots that have another result in the second of two folds. A slot without any result in the first fold is
 * `gained`; a slot without any in the second is `lost`.
 */
export interface Differing {
  readonly lost: Words;
  readonly lowered: Words;
  readonly raised: Words;
  readonly gained: Words;
}

/** Compares two folds of one chunk. A result with a greater index is higher. */
export function differing(before: Results, after: Results): Differing {
  const found = noDifference();
  for (let index = 0; index < WORDS; index++) {
    let had = 0;
    let has = 0;
    let up = 0;
    let down = 0;
    // From the highest result down: a slot that has appeared in only one fold so far has the higher result in that
    // fold.
    for (let result = Math.max(before.length, after.length) - 1; result >= 0; result--) {
      had |= before[result]?.[index] ?? 0;
      has |= after[result]?.[index] ?? 0;
      down |= had & ~has;
      up |= has & ~had;
    }
    found.lost[index] = down & ~has;
    found.lowered[index] = down & has;
    found.raised[index] = up & had;
    found.gained[index] = up & ~had;
  }
  return found;
}

export function noDifference(): Differing {
  return { lost: noSlots(), lowered: noSlots(), raised: noSlots(), gained: noSlots() };
}

export function addDifference(to: Differing, { lost, lowered, raised, gained }: Differing): void {
  addAll(to.lost, lost);
  addAll(to.lowered, lowered);
  addAll(to.raised, raised);
  addAll(to.gained, gained);
}
