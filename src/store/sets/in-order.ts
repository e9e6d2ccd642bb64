import { chunkOf, positionAt, slotOf } from "../../sets/position.ts";
import { addSlot, noSlots } from "../../sets/words.ts";
import type { Reading } from "../reading.ts";
import type { Universe } from "../schema/set-names.ts";
import { chunksAfter, type Order, type Place, type SlotOrder, slotOrderOf } from "./chunks.ts";

/** The first `most` of the given positions, in key order from `from` on. */
export async function positionsFrom(
  reading: Reading,
  universe: Universe,
  positions: Iterable<number>,
  from: Place,
  order: Order,
  most: number,
): Promise<number[]> {
  const byChunk = Map.groupBy(positions, chunkOf);
  const found: number[] = [];
  const add = (chunk: number, slots: Iterable<number>) => {
    for (const slot of slots) if (found.push(positionAt(chunk, slot)) === most) return true;
    return false;
  };
  const first = byChunk.get(from.chunk);
  if (first !== undefined && add(from.chunk, inOrder(first, from.order, order, from.place))) return found;
  if (byChunk.size === (first === undefined ? 0 : 1)) return found;
  for (const { number, isInOrder } of await chunksAfter(reading, universe, from.chunk, order)) {
    const own = byChunk.get(number);
    if (own === undefined) continue;
    const slotOrder = isInOrder ? undefined : await slotOrderOf(reading, universe, number);
    if (add(number, inOrder(own, slotOrder, order))) break;
  }
  return found;
}

/**
 * The slots of positions in one chunk, in key order. If `slotOrder` is `undefined`, the order of slots is the order of
 * keys.
 */
function inOrder(
  positions: readonly number[],
  slotOrder: SlotOrder | undefined,
  order: Order,
  place?: number,
): Iterable<number> {
  if (slotOrder?.slots !== undefined) {
    const words = noSlots();
    for (const position of positions) addSlot(words, slotOf(position));
    return slotOrder.within(words, place, order);
  }
  const slots = positions.map(slotOf);
  if (order === "asc") return slots.filter((slot) => slot >= (place ?? 0)).sort((a, b) => a - b);
  return slots.filter((slot) => slot <= (place ?? slot)).sort((a, b) => b - a);
}
