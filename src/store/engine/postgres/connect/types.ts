import { types } from "pg";

const NUMBERS: readonly number[] = [
  types.builtins.INT2,
  types.builtins.INT4,
  types.builtins.INT8,
  types.builtins.NUMERIC,
];

/** Parses integers and numerics as numbers (all are below 2^53 here), `bytea` as bytes, and everything else as text. */
export const TYPES = {
  getTypeParser(oid: number): (text: string) => string | number | Uint8Array {
    if (oid === types.builtins.BYTEA) return (text) => Buffer.from(text.slice(2), "hex");
    return NUMBERS.includes(oid) ? Number : String;
  },
};
