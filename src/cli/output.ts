/**
 * Rows for people, spreadsheets and programs: a table, CSV or NDJSON. Rows are collected in bounded memory, in a file
 * without a name, and printed when all are read.
 */
import { createHash } from "node:crypto";
import { closeSync, readSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { CommandError } from "../domain/error.ts";
import { type RowFormat, csvLines } from "../operations/csv.ts";
import { createNameless } from "../store/private-file.ts";
import { oneOf } from "./options.ts";
import { print, say, table, write } from "./terminal.ts";

export const FORMATS = ["table", "csv", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

/** Throws a UsageError for an unknown format; `undefined` is a table. */
export function formatOf(value: string | undefined): Format {
  return oneOf("--format", value ?? "table", FORMATS) ?? "table";
}

const CHUNK = 1 << 20;

/**
 * A temporary file that is written first and then read. It has no name, so that nothing remains of it however the
 * process ends. Throws a CommandError if it cannot be written.
 */
export class TemporaryFile {
  readonly #file = attempt(() => createNameless(tmpdir()));
  #size = 0;

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;) {
      const from = done;
      done += attempt(() => writeSync(this.#file, bytes, from, bytes.length - from, this.#size + from));
    }
    this.#size += bytes.length;
  }

  *read(): Generator<Buffer> {
    for (let at = 0; at < this.#size;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(this.#file, chunk, 0, CHUNK, at);
      if (read === 0) throw new CommandError("The temporary file ends too early.");
      at += read;
      yield chunk.subarray(0, read);
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `The temporary file in ${tmpdir()} cannot be written: ${reason}. TMPDIR names another folder.`,
      { cause },
    );
  }
}

/** A table has at most this many rows, because all are kept in memory to align its columns. */
const ROWS_OF_TABLE = 10_000;

/**
 * Collects rows in bounded memory and prints them when all are read: the lines above the column names may have their
 * number and hash, and a slow reader of the output does not prolong the consistent read.
 */
export class RowsOutput {
  readonly #format: Format;
  readonly #buffer = new TemporaryFile();
  readonly #hash = createHash("sha256");
  readonly #tables = new Map<readonly string[], (string | number)[][]>();
  #columns: readonly string[] = [];
  readonly #tellMore: (rows: number) => void | Promise<void>;
  rows = 0;

  /** `tellMore` says how many rows a table leaves out. */
  constructor(format: Format, tellMore: (rows: number) => void | Promise<void> = sayMore) {
    this.#format = format;
    this.#tellMore = tellMore;
  }

  /** A table gets rows until it has `most`. */
  add<Row>(sheet: RowFormat<Row>, rows: readonly Row[], most = ROWS_OF_TABLE): void {
    this.#columns = sheet.csv;
    this.rows += rows.length;
    if (this.#format === "table") {
      const known = this.#tables.get(sheet.table) ?? [];
      this.#tables.set(sheet.table, known);
      for (const row of rows.slice(0, Math.max(0, most - known.length))) known.push(sheet.cells(row));
      return;
    }
    const text =
      this.#format === "csv"
        ? csvLines(rows.map(sheet.record))
        : rows.map((row) => `${JSON.stringify(sheet.object(row))}\n`).join("");
    const bytes = Buffer.from(text);
    // Only a CSV shows the hash.
    if (this.#format === "csv") this.#hash.update(bytes);
    this.#buffer.write(bytes);
  }

  /** `head` returns the lines before the rows of a CSV; by default, only the column names. */
  async print(
    head: (rows: number, sha256: string, columns: readonly string[]) => string = (_, __, columns) =>
      csvLines([columns]),
    to = write,
  ): Promise<void> {
    if (this.#format === "table") {
      let shown = 0;
      for (const [columns, rows] of this.#tables) {
        if (rows.length === 0) continue;
        await to(`${shown > 0 ? "\n" : ""}${table(columns, rows)}\n`);
        shown += rows.length;
      }
      const more = this.rows - shown;
      if (more > 0) await this.#tellMore(more);
      return;
    }
    if (this.#format === "csv") await to(head(this.rows, this.#hash.digest("hex"), this.#columns));
    for (const chunk of this.#buffer.read()) await to(chunk);
  }

  [Symbol.dispose](): void {
    this.#buffer[Symbol.dispose]();
  }
}

/** How rows are written whose columns are the same in every format. */
export function sheetOf<Row>(
  columns: Readonly<Record<string, (row: Row) => string | number>>,
): RowFormat<Row> {
  const names = Object.keys(columns);
  const cells = (row: Row) => Object.values(columns).map((of) => of(row));
  const object = (row: Row) =>
    Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, of(row)]));
  return { table: names, cells, csv: names, record: (row) => cells(row).map(String), object };
}

/** Prints rows that are in memory. */
export async function printRows<Row>(
  format: Format,
  sheet: RowFormat<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (format === "table") await print(table(sheet.table, rows.map(sheet.cells)));
  else if (format === "csv") await write(csvLines([[...sheet.csv], ...rows.map(sheet.record)]));
  else for (const row of rows) await print(JSON.stringify(sheet.object(row)));
}

function sayMore(rows: number): void {
  say(`… and ${rows.toLocaleString("en")} more rows; --format csv or --format ndjson lists them all.`);
}
