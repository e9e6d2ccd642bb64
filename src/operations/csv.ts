import Papa from "papaparse";

/** Makes a spreadsheet read a file as UTF-8. */
export const BOM = "\uFEFF";

/**
 * The beginning of a cell that a spreadsheet would run as a formula, or of one that looks as if it got a
 * leading `'` already: readers remove one `'`.
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
