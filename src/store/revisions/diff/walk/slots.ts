import { addSlot, noSlots, type Words } from "../../../../sets/words.ts";

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
