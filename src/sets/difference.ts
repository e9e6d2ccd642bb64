import { type Span, WHOLE_CHUNK } from "./fold.ts";
import { addAll, noSlots, type Words } from "./words.ts";

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
export function differing(before: Results, after: Results, { from, to }: Span = WHOLE_CHUNK): Differing {
  const found = noDifference();
  for (let index = from; index < to; index++) {
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
