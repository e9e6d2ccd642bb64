/**
 * Painting: one code for each slot of a chunk. Each stroke covers what was painted before it, so the strokes of a ladder
 * go from its weakest rule to its strongest.
 */
import { SLOTS } from "./position.ts";

/** The code of each slot of a chunk, by slot. Only the slots of a {@link Part} are valid. */
export type Codes = Uint32Array;

/** The slots of a chunk that are painted; `to` is excluded. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export function blankCodes(): Codes {
  return new Uint32Array(SLOTS);
}

/** Paints every slot: the code of a slot depends on its byte. `codeOf` has a code for each byte. */
export function paintAll(codes: Codes, { from, to }: Part, bytes: Uint8Array, codeOf: Codes): void {
  for (let slot = from; slot < to; slot++) codes[slot] = codeOf[bytes[slot] ?? 0] ?? 0;
}

/** Paints the slots with one value of their byte. */
export function paintWhere(
  codes: Codes,
  { from, to }: Part,
  bytes: Uint8Array,
  value: number,
  code: number,
): void {
  for (let slot = from; slot < to; slot++) if (bytes[slot] === value) codes[slot] = code;
}
