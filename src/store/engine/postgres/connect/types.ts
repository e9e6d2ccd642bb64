import { types } from "pg";

const NUMBERS: readonly number[] = [
  types.builtins.INT2,
  types.builtins.INT4,
  types.builtins.INT8,
  types.builtins.NUMERIC,
];

/**
 * Whole numbers of any width are read as numbers, bytes as bytes, everything else as text. All numbers here are below
 * 2^53.
 */
export const TYPES = {
  getTypeParser(oid: number): (text: string) => string | number | Uint8Array {
    if (oid === types.builtins.BYTEA) return (text) => Buffer.from(text.slice(2), "hex");
    return NUMBERS.includes(oid) ? Number : String;
  },
};
