import { createHash } from "node:crypto";
import { csvLines } from "../../operations/csv.ts";
import { print, say, write } from "../context.ts";
import type { Format } from "../output/list-output.ts";
import { TemporaryFile } from "../output/temporary-file.ts";
import { table } from "../output/table.ts";
import type { Sheet } from "./sheets.ts";

/** A table is for people: they read no more rows than this, and its columns are made when all rows are there. */
const ROWS_OF_TABLE = 10_000;

/**
 * Rows of a diff. They wait until all are there: what heads them tells their number and their hash, and where one of the
 * revisions goes meanwhile, nothing is written.
 */
export class DiffOutput {
  readonly #format: Format;
  readonly #spool = new TemporaryFile();
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
    this.#hash.update(bytes);
    this.#spool.write(bytes);
  }

  /** Prints what was added. `head` gives the lines before the rows of a CSV, with their number and hash. */
  async print(head: (rows: number, sha256: string, columns: readonly string[]) => string): Promise<void> {
    if (this.#format === "table") {
      let shown = 0;
      for (const [columns, rows] of this.#tables) {
        if (rows.length === 0) continue;
        if (shown > 0) await print("");
        await print(table(columns, rows));
        shown += rows.length;
      }
      if (shown === 0) say("Nobody’s effective role differs.");
      const more = this.rows - shown;
      if (more > 0) say(`… and ${more} more rows; --format csv or --format ndjson lists them all.`);
      return;
    }
    if (this.#format === "csv") await write(head(this.rows, this.#hash.digest("hex"), this.#columns));
    for (const chunk of this.#spool.read()) await write(chunk);
  }

  close(): void {
    this.#spool.close();
  }
}
