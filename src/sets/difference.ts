import { type Span, WHOLE_CHUNK } from "./fold.ts";
import { noSlots, type Words } from "./words.ts";

/** The results of a fold: of a slot the one place whose set has it, or none. */
export type Results = readonly (Words | undefined)[];

/** Slots whose result is another one in a second fold: no more, a lower one, a higher one, or one for the first time. */
export interface Differing {
  readonly lost: Words;
  readonly lowered: Words;
  readonly raised: Words;
  readonly gained: Words;
}

/** Compares what two folds found in one chunk. Results that stand later are the higher ones. */
export function differing(before: Results, after: Results, { from, to }: Span = WHOLE_CHUNK): Differing {
  const found = { lost: noSlots(), lowered: noSlots(), raised: noSlots(), gained: noSlots() };
  for (let index = from; index < to; index++) {
    let had = 0;
    let has = 0;
    let up = 0;
    let down = 0;
    // From the highest on: who has reached this far in one and not in the other stands higher there.
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
