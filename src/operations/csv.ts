import Papa from "papaparse";

/** Makes a spreadsheet read a file as UTF-8. */
export const BOM = "\uFEFF";

/**
 * The beginning of a cell that gets a leading `'`: a formula, with or without `'` before it. Readers of the file remove
 * one `'`.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * Rows as CSV (RFC 4180): UTF-8 text, each line ended by CRLF. A cell that a spreadsheet would run as a formula gets
 * a leading `'`.
 */
export function csvLines(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => [...row]);
  return `${Papa.unparse(cells, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
}
