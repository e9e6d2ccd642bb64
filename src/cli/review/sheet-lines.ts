/** Reads the lines of a decided report, saved by a person, a spreadsheet or a script. */
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import Papa from "papaparse";
import { CommandError } from "../../domain/error.ts";
import { SHEET_COLUMNS } from "../../operations/report-sheet.ts";

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
  const source = Readable.from(texts(file, whole));
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(source, {
      skipEmptyLines: "greedy",
      chunk: ({ data }) => add(data),
      complete: () => resolve(),
      error: reject,
    });
  }).catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(`The report ${file} cannot be read: ${why}.`);
  });
  source.destroy();
}

/** Without a byte order mark. */
async function* texts(file: string, whole: Hash | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const source: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file);
  for await (const piece of source) {
    whole?.update(piece);
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

/** A cell without the `'` that stops spreadsheets from running it as a formula. */
export function plainCell(cell: string): string {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
