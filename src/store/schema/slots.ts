/** The stored order of a chunk's slots by key. */

/** Decodes stored slots. Copies them, because a driver may return a part of a larger buffer. */
export function slotsIn(stored: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(stored).buffer);
}

/** The slots in key order. `stored` is null while the first `used` slots are in that order themselves. */
export function orderOf(stored: Uint8Array | null, used: number): Uint16Array {
  return stored === null ? Uint16Array.from({ length: used }, (_, slot) => slot) : slotsIn(stored);
}
