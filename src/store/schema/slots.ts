/** Decodes stored slots. Copies the bytes first, because a driver may return a view of a larger buffer. */
export function slotsIn(stored: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(stored).buffer);
}

/** The used slots of a chunk, sorted by key. `stored` is null if the order of slots is the order of keys. */
export function orderOf(stored: Uint8Array | null, used: number): Uint16Array {
  return stored === null ? Uint16Array.from({ length: used }, (_, slot) => slot) : slotsIn(stored);
}
