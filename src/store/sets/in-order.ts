import { chunkOf, positionAt, slotOf } from "../../sets/position.ts";
import { addSlot, noSlots } from "../../sets/words.ts";
import type { Reading } from "../reading.ts";
import type { Universe } from "../schema/set-names.ts";
import { chunksBehind, type Order, type Place, slotOrderOf } from "./chunks.ts";

/** The first of some positions in key order, from a place on. */
export async function positionsFrom(
  reading: Reading,
  universe: Universe,
  positions: Iterable<number>,
  from: Place,
  order: Order,
  most: number,
): Promise<number[]> {
  const slots = Map.groupBy(positions, chunkOf);
  const found: number[] = [];
  if (slots.size === 0) return found;
  for (const chunk of [from.chunk, ...(await chunksBehind(reading, universe, from.chunk, order))]) {
    const own = slots.get(chunk);
    if (own === undefined) continue;
    const words = noSlots();
    for (const position of own) addSlot(words, slotOf(position));
    const [place, slotOrder] =
      chunk === from.chunk
        ? [from.place, from.order]
        : [undefined, await slotOrderOf(reading, universe, chunk)];
    for (const slot of slotOrder.within(words, place, order)) {
      if (found.push(positionAt(chunk, slot)) === most) return found;
    }
  }
  return found;
}
