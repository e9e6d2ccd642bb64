/**
 * A position is the place of a key (a user id, or a space in order of creation) in all sets of its universe:
 * a slot of a chunk. A position belongs to one key forever and is never reused.
 */

/** The number of slots in a chunk. */
export const SLOTS = 4096;

/** The number of slots that a bulk write fills; the others are free for later additions. */
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
