/** The stored order of a chunk's slots by their keys. */

/** Stored slots. They are copied because a driver may return a part of memory that it shares. */
export function slotsIn(stored: Uint8Array): Uint16Array {
  return new Uint16Array(Uint8Array.from(stored).buffer);
}

/** The slots in the order of their keys. `stored` is null while the first `used` slots are in that order. */
export function orderOf(stored: Uint8Array | null, used: number): Uint16Array {
  return stored === null ? Uint16Array.from({ length: used }, (_, slot) => slot) : slotsIn(stored);
}
