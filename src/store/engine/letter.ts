/** The name of a column of given rows: see `Dialect.given`. */
export function letter(place: number): string {
  return String.fromCodePoint(0x61 + place);
}
