import type { Differing } from "../../../../sets/difference.ts";
import { addAll, countSlots, keepOnly, noSlots, type Words } from "../../../../sets/words.ts";
import { DIRECTIONS } from "../../../../domain/difference.ts";
import type { OwnSlots } from "./own-slots.ts";

/** The slots of one chunk that differ on a content, by direction as in {@link DIRECTIONS}. */
export class Found {
  readonly words: readonly Words[];
  readonly counts: number[] = DIRECTIONS.map(() => 0);
  /** The slots that differ in any direction. */
  readonly all = noSlots();

  constructor(words: readonly Words[] = DIRECTIONS.map(() => noSlots())) {
    this.words = words;
  }

  /** A difference restricted by `mask`, which returns the allowed slots of each word. */
  static of(differing: Differing, mask: (index: number) => number): Found {
    const found = new Found(DIRECTIONS.map((direction) => differing[direction]));
    const { words, counts, all } = found;
    for (let index = 0; index < all.length; index++) {
      const kept = mask(index);
      for (const each of words) {
        const word = (each[index] ?? 0) & kept;
        each[index] = word;
        all[index] = (all[index] ?? 0) | word;
      }
    }
    for (const [index, each] of words.entries()) counts[index] = countSlots(each);
    return found;
  }

  /** The part of the difference in the given slots. */
  within(some: Words): Found {
    const found = new Found(this.words.map((words) => keepOnly(words.slice(), some)));
    for (const [index, words] of found.words.entries()) {
      addAll(found.all, words);
      found.counts[index] = countSlots(words);
    }
    return found;
  }

  get isEmpty(): boolean {
    return this.counts.every((count) => count === 0);
  }

  /** Becomes a copy of another difference without the slots in `own`. */
  become(other: Found, own: OwnSlots): void {
    this.all.set(other.all);
    own.removeFrom(this.all);
    for (const [index, words] of this.words.entries()) {
      const [count = 0, others] = [other.counts[index], other.words[index]];
      this.counts[index] = 0;
      if (count === 0 || others === undefined) continue;
      words.set(others);
      own.removeFrom(words);
      this.counts[index] = count - own.countIn(others);
    }
  }
}
