/** Cells of CSV files that a spreadsheet would run as formulas, and the apostrophe that makes text of them. */

/**
 * What a spreadsheet runs, behind any white space: some of them remove it. A cell that begins with a tab or a line end
 * counts, whatever follows.
 */
const FORMULA = String.raw`(?:[\s\p{White_Space}]*[=+\-@＝＋－＠]|[\t\r\n])`;
/** Cells that get an apostrophe: formulas, also behind apostrophes, because readers of the file remove one. */
export const ESCAPED = new RegExp(`^'*${FORMULA}`, "u");
const WRITTEN = new RegExp(`^'+${FORMULA}`, "u");

/** A cell as it was before {@link ESCAPED} cells got their apostrophe. */
export function plainCell(cell: string): string {
  return WRITTEN.test(cell) ? cell.slice(1) : cell;
}
