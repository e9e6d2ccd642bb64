import { type Span, WHOLE_CHUNK } from "./fold.ts";
import { noSlots, type Words } from "./words.ts";

/** The results of a fold. A slot is in at most one of them. */
export type Results = readonly (Words | undefined)[];

/** The slots whose result differs in a second fold: lost, lowered, raised or gained. */
export interface Differing {
  readonly lost: Words;
  readonly lowered: Words;
  readonly raised: Words;
  readonly gained: Words;
}

/** Compares two folds of one chunk. Results with a greater index are higher. */
export function differing(before: Results, after: Results, { from, to }: Span = WHOLE_CHUNK): Differing {
  const found = { lost: noSlots(), lowered: noSlots(), raised: noSlots(), gained: noSlots() };
  for (let index = from; index < to; index++) {
    let had = 0;
    let has = 0;
    let up = 0;
    let down = 0;
    // From the highest result down: a slot that has reached this result in only one of the folds is higher there.
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
