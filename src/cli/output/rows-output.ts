import { createHash } from "node:crypto";
import { csvLines } from "../../operations/csv.ts";
import { print, say, write } from "../context.ts";
import type { Format } from "./list-output.ts";
import { table } from "./table.ts";
import { TemporaryFile } from "./temporary-file.ts";

/** How rows of one kind are written: `table` and `cells` as a table, `csv` and `record` as CSV, `object` as NDJSON. */
export interface Sheet<Row> {
  readonly table: readonly string[];
  readonly cells: (row: Row) => (string | number)[];
  readonly csv: readonly string[];
  readonly record: (row: Row) => string[];
  readonly object: (row: Row) => object;
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
  rows = 0;

  constructor(format: Format) {
    this.#format = format;
  }

  add<Row>(sheet: Sheet<Row>, rows: readonly Row[]): void {
    this.#columns = sheet.csv;
    this.rows += rows.length;
    if (this.#format === "table") {
      const known = this.#tables.get(sheet.table) ?? [];
      this.#tables.set(sheet.table, known);
      for (const row of rows.slice(0, ROWS_OF_TABLE - known.length)) known.push(sheet.cells(row));
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
  ): Promise<void> {
    if (this.#format === "table") {
      let shown = 0;
      for (const [columns, rows] of this.#tables) {
        if (rows.length === 0) continue;
        if (shown > 0) await print("");
        await print(table(columns, rows));
        shown += rows.length;
      }
      const more = this.rows - shown;
      if (more > 0) {
        say(`… and ${more.toLocaleString("en")} more rows; --format csv or --format ndjson lists them all.`);
      }
      return;
    }
    if (this.#format === "csv") await write(head(this.rows, this.#hash.digest("hex"), this.#columns));
    for (const chunk of this.#buffer.read()) await write(chunk);
  }

  close(): void {
    this.#buffer.close();
  }
}
