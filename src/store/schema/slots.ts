/** The order of a chunk's slots by their keys, as it is stored. */

/** Slots in the order of their keys; `stored` is null while the first `used` slots are in that order themselves. */
export function orderOf(stored: Uint8Array | null, used: number): Uint16Array {
  return stored === null
    ? Uint16Array.from({ length: used }, (_, slot) => slot)
    : new Uint16Array(stored.slice().buffer);
}
