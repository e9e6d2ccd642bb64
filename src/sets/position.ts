/**
 * A position is a chunk and a slot. It stands for one key (a user id, or a space in order of creation) in all sets of
 * its universe, and is never reused for another key.
 */

/** The number of slots in a chunk. */
export const SLOTS = 4096;

/** The number of slots of a chunk that an import fills. The others remain free for later additions. */
export const FILL = 3072;

/** Chunk numbers are below this, so that a position takes four bytes. */
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
