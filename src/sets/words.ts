import { SLOTS } from "./position.ts";

/** A set of slots of one chunk, one bit each: slot `s` is bit `s % 32` of word `s / 32`. */
export type Words = Uint32Array;

export const WORDS = Math.ceil(SLOTS / 32);

export function noSlots(): Words {
  return new Uint32Array(WORDS);
}

export function hasSlot(words: Words, slot: number): boolean {
  return ((words[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0;
}

export function addSlot(words: Words, slot: number): void {
  words[slot >>> 5] = (words[slot >>> 5] ?? 0) | (1 << (slot & 31));
}

export function removeSlot(words: Words, slot: number): void {
  words[slot >>> 5] = (words[slot >>> 5] ?? 0) & ~(1 << (slot & 31));
}

export function countSlots(words: Words): number {
  let count = 0;
  for (let index = 0; index < words.length; index++) {
    let word = words[index] ?? 0;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return count;
}

/** The slots from `first` on, ascending. */
export function* slotsFrom(words: Words, first = 0): Generator<number> {
  for (let index = first >>> 5; index < words.length; index++) {
    const from = index === first >>> 5 ? -1 << (first & 31) : -1;
    for (let word = (words[index] ?? 0) & from; word !== 0; word &= word - 1) {
      yield (index << 5) + 31 - Math.clz32(word & -word);
    }
  }
}

/** Adds `others` to `words`, and returns `words`. */
export function addAll(words: Words, others: Words | undefined): Words {
  if (others === undefined) return words;
  for (let index = 0; index < words.length; index++)
    words[index] = (words[index] ?? 0) | (others[index] ?? 0);
  return words;
}

/** Removes `others` from `words`, and returns `words`. */
export function removeAll(words: Words, others: Words | undefined): Words {
  if (others === undefined) return words;
  for (let index = 0; index < words.length; index++)
    words[index] = (words[index] ?? 0) & ~(others[index] ?? 0);
  return words;
}
