import Papa from "papaparse";

/** The byte order mark, by which a spreadsheet recognizes UTF-8. */
export const BOM = "\uFEFF";

/** Matches a formula, also behind `'`. Such a cell gets one more `'`, because readers of the file remove one. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** CSV (RFC 4180): each line ends with CRLF. A cell that a spreadsheet would run as a formula gets a leading `'`. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => [...row]);
  return `${Papa.unparse(cells, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
}

/** How rows of one kind are written: `table` and `cells` as a table, `csv` and `record` as CSV, `object` as NDJSON. */
export interface Sheet<Row> {
  readonly table: readonly string[];
  readonly cells: (row: Row) => (string | number)[];
  readonly csv: readonly string[];
  readonly record: (row: Row) => string[];
  readonly object: (row: Row) => object;
}
