/**
 * A position is a chunk and a slot. It identifies one key (a user id, or a space in order of creation) in all sets of
 * such keys, and is never reused for another key.
 */
import { limit } from "./limit.ts";

export const SLOTS = limit("chunk.slots", 4096);

/** How many slots of a chunk an import fills. The others stay free for later additions. */
export const FILL = limit("chunk.fill", 3072);

/** Chunk numbers are below this number, so that a position fits into four bytes. */
export const CHUNKS = 2 ** 20;

export function positionAt(chunk: number, slot: number): number {
  return chunk * SLOTS + slot;
}

export function chunkOf(position: number): number {
  return Math.floor(position / SLOTS);
}

export function slotOf(position: number): number {
  return position % SLOTS;
}
