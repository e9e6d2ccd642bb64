import Papa from "papaparse";

/** What makes a spreadsheet read a file as UTF-8. */
export const BOM = "\uFEFF";

/** What a spreadsheet takes for a formula when a cell begins with it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Rows as CSV (RFC 4180): UTF-8 text, each line ended by CRLF. A cell that a spreadsheet would run as a formula gets
 * a leading `'`.
 */
export function csvLines(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => [...row]);
  return `${Papa.unparse(cells, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
}
