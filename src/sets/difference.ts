import { type Span, WHOLE_CHUNK } from "./fold.ts";
import { addAll, noSlots, type Words } from "./words.ts";

/** The results of a fold. A slot is in at most one of them. */
export type Results = readonly (Words | undefined)[];

/** The slots whose result differs between two folds: lost, lowered, raised or gained. */
export interface Differing {
  readonly lost: Words;
  readonly lowered: Words;
  readonly raised: Words;
  readonly gained: Words;
}

/** Compares two folds of one chunk. Results with a greater index are higher. */
export function differing(before: Results, after: Results, { from, to }: Span = WHOLE_CHUNK): Differing {
  const found = noDifference();
  for (let index = from; index < to; index++) {
    let had = 0;
    let has = 0;
    let up = 0;
    let down = 0;
    // Goes from the highest result to the lowest. A slot that only one fold contains so far has the higher result in
    // that fold.
    for (let place = Math.max(before.length, after.length) - 1; place >= 0; place--) {
      had |= before[place]?.[index] ?? 0;
      has |= after[place]?.[index] ?? 0;
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

/** An empty difference, to which others are added. */
export function noDifference(): Differing {
  return { lost: noSlots(), lowered: noSlots(), raised: noSlots(), gained: noSlots() };
}

/** Adds the slots of one difference to another. */
export function addDifference(to: Differing, { lost, lowered, raised, gained }: Differing): void {
  addAll(to.lost, lost);
  addAll(to.lowered, lowered);
  addAll(to.raised, raised);
  addAll(to.gained, gained);
}
