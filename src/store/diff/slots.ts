import { addSlot, noSlots, type Words } from "../../sets/words.ts";

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
  for (const words of others) {
    for (const [index, word] of words.entries()) found[index] = (found[index] ?? 0) | word;
  }
  return found;
}
