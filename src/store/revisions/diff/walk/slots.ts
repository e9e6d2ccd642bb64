import { addAll, addSlot, noSlots, type Words } from "../../../sets/words.ts";

/** Positions as slots by chunk. */
export function slotsByChunk(
  positions: Iterable<readonly [chunk: number, slot: number]>,
): Map<number, Words> {
  const found = new Map<number, Words>();
  for (const [chunk, slot] of positions) {
    const words = found.get(chunk) ?? noSlots();
    found.set(chunk, words);
    addSlot(words, slot);
  }
  return found;
}

/** The slots that any of some sets has. */
export function union(all: readonly (Words | undefined)[]): Words {
  const [first, ...others] = all.filter((each) => each !== undefined);
  const found = first === undefined ? new Uint32Array() : first.slice();
  for (const words of others) addAll(found, words);
  return found;
}

/** How many slots are in both sets. */
export function countCommon(one: Words, other: Words): number {
  let count = 0;
  for (let index = 0; index < one.length; index++) {
    for (let word = (one[index] ?? 0) & (other[index] ?? 0); word !== 0; word &= word - 1) count++;
  }
  return count;
}
