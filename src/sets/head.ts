import { limit } from "./limit.ts";
import { aligned } from "./container.ts";

/** The most positions that a set has when it is stored in its head. */
export const SMALL = limit("head.small", 256);

/**
 * A large set becomes small again at this size. The size is below {@link SMALL}, so that a set of about that many
 * positions does not change its form with every change.
 */
export const SMALL_AGAIN = limit("head.small-again", 128);

/** What a set stores apart from its containers. */
export type Head =
  /** All positions of a small set, ascending. */
  | { readonly positions: Uint32Array }
  /** The chunks of a large set, ascending by number; each has a container. */
  | { readonly chunks: Uint32Array };

export const EMPTY: Head = { positions: new Uint32Array() };

export function isEmpty(head: Head): boolean {
  return "positions" in head && head.positions.length === 0;
}

const POSITIONS = 0;
const CHUNKS = 1;

/** Encodes a head: a number for its form, then its positions or chunks; four bytes per number, lowest byte first. */
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

/** The index of the first number that is at least `wanted`, in an ascending list. */
export function firstFrom(numbers: Uint32Array | Uint16Array, wanted: number): number {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
