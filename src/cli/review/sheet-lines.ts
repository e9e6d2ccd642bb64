/** Reads the lines of a decided report, saved by a person, a spreadsheet or a script. */
import type { Hash } from "node:crypto";
import { Readable } from "node:stream";
import Papa from "papaparse";
import { CommandError } from "../../domain/error.ts";
import { textsOf, UnreadableFile } from "../../snapshot/input.ts";
import { SHEET_COLUMNS } from "../../operations/report-sheet.ts";

const ACCEPTS = "a report that is saved as CSV in UTF-8";

/** The lines before the first row: seven about the report, and the column names. */
export const HEAD = 8;
/** The first column that the reviewer fills in. */
export const DECISION = SHEET_COLUMNS.indexOf("decision");

/**
 * Parses a file, or standard input for `-`, in batches of lines. `whole` is updated with its bytes. Throws a
 * CommandError if it cannot be read.
 */
export async function readLines(
  file: string,
  add: (lines: readonly (readonly string[])[]) => void,
  whole?: Hash,
): Promise<void> {
  const source = Readable.from(textsOf(file, ACCEPTS, (piece) => whole?.update(piece)));
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(source, {
      skipEmptyLines: "greedy",
      chunk: ({ data }) => add(data),
      complete: () => resolve(),
      error: reject,
    });
  }).catch((error: unknown) => {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new CommandError(`The report ${file} cannot be read: ${error.message}.`, { cause: error });
  });
  source.destroy();
}

/** A cell without the `'` that stops spreadsheets from running it as a formula. */
export function plainCell(cell: string): string {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
