import { aligned } from "./container.ts";

/** A set keeps its positions in its head up to so many. */
export const SMALL = 256;

/** A large set whose members go becomes a small one again at so many: not back and forth at the limit. */
export const SMALL_AGAIN = 128;

/** What is known of a set before any of its containers is read. */
export type Head =
  /** All of a small set, ascending. */
  | { readonly positions: Uint32Array }
  /** The chunks in which a large set has anybody, ascending by number: a container each. */
  | { readonly chunks: Uint32Array };

export const EMPTY: Head = { positions: new Uint32Array() };

/** Whether a set has nobody. */
export function isEmpty(head: Head): boolean {
  return "positions" in head && head.positions.length === 0;
}

const POSITIONS = 0;
const CHUNKS = 1;

/** A head as it is stored: which of the two it is, then its numbers; four bytes each, lowest first. */
export function headBytes(head: Head): Uint8Array {
  const [kind, rest] = "chunks" in head ? [CHUNKS, head.chunks] : [POSITIONS, head.positions];
  const numbers = new Uint32Array(1 + rest.length);
  numbers[0] = kind;
  numbers.set(rest, 1);
  return new Uint8Array(numbers.buffer);
}

export function headOf(stored: Uint8Array): Head {
  const bytes = aligned(stored);
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const rest = numbers.subarray(1);
  return numbers[0] === CHUNKS ? { chunks: rest } : { positions: rest };
}
