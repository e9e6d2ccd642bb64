import Papa from "papaparse";

/** Makes a spreadsheet read a file as UTF-8. */
export const BOM = "\uFEFF";

/** A cell that begins so is a formula to a spreadsheet, or looks like one that got its `'`: a reader takes one off. */
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
