/**
 * Positions: where a key (a user id, a space by creation) stands in the sets of its universe. A position is a slot of a
 * chunk; it names one key for ever and is never given to another.
 */

/** Slots of a chunk. */
export const SLOTS = 4096;

/** Slots that a chunk is filled to when it is written in bulk: the others wait for additions. */
export const FILL = 3072;

/** Chunks are numbered below this, so that a position takes four bytes. */
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
