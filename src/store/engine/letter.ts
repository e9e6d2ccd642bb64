/** The column name (`a`, `b`, `c` …) at an index of the given rows; see `Dialect.given`. */
export function letter(index: number): string {
  return String.fromCodePoint(0x61 + index);
}
