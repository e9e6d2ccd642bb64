import { aligned } from "./container.ts";

/** A set keeps its positions in its head up to so many. */
export const SMALL = 256;

/** What is known of a set before any of its containers is read. */
export type Head =
  | { readonly size: number; readonly positions: Float64Array }
  /** The chunks in which it has anybody, ascending by number: a container each. */
  | { readonly size: number; readonly chunks: Float64Array };

export const EMPTY: Head = { size: 0, positions: new Float64Array() };

/** A head as it is stored: its size, negative where chunks follow and not positions; eight bytes a number. */
export function headBytes(head: Head): Uint8Array {
  const [size, rest] = "chunks" in head ? [-head.size, head.chunks] : [head.size, head.positions];
  const numbers = new Float64Array(1 + rest.length);
  numbers[0] = size;
  numbers.set(rest, 1);
  return new Uint8Array(numbers.buffer);
}

export function headOf(stored: Uint8Array): Head {
  const bytes = aligned(stored);
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  const [size = 0] = numbers;
  const rest = numbers.subarray(1);
  return size < 0 ? { size: -size, chunks: rest } : { size, positions: rest };
}
