import { CommandError } from "../../../domain/error.ts";
import type { Problems } from "../../../snapshot/problem.ts";
import { show } from "../../../snapshot/problem.ts";
import { decode } from "./decode.ts";
import { type Field, type Headings, listOf, type Sheet } from "./headings.ts";
import type { Notes } from "./notes.ts";
import { type RawRow, readRows } from "./rows.ts";

const DELIMITER_NAMES: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab" };

/** How tables are read, and what collects their problems and notes. */
export interface Reading {
  readonly encoding: string | undefined;
  readonly headings: Headings;
  readonly problems: Problems;
  readonly notes: Notes;
}

export interface Row<S extends Sheet> {
  readonly number: number;
  /** The trimmed cell; empty if the column is missing. */
  get(field: Field<S>): string;
}

/** Throws a CommandError with all problems, if there are any. Call it before a check that would only repeat them. */
export function refuseOn(problems: Problems): void {
  if (problems.count > 0) throw new CommandError(`${problems}\nNothing was converted.`);
}

export class Table<S extends Sheet> {
  readonly file: string;
  readonly sheet: S;
  readonly #reading: Reading;
  #headings: readonly string[] = [];
  #columns: ReadonlyMap<string, number> = new Map();

  constructor(sheet: S, file: string, reading: Reading) {
    this.sheet = sheet;
    this.file = file;
    this.#reading = reading;
  }

  has(field: Field<S>): boolean {
    return this.#columns.has(field);
  }

  /**
   * Gives each nonblank row to `take`. The file must have a column for at least one field of each list in `needed`.
   * Throws a CommandError for a missing column, for faulty rows, and for a file that cannot be read.
   */
  async read(needed: readonly (readonly Field<S>[])[], take: (row: Row<S>) => void): Promise<void> {
    const { encoding, headings } = this.#reading;
    const decoding = await decode(this.file, encoding);
    const liking = (row: readonly string[]) => headings.known(this.sheet, row);
    let rows = 0;
    await readRows(this.file, decoding.texts, liking, (row, delimiter) => {
      const suspect = decoding.damaged || decoding.hasNull;
      if (suspect && this.#tellSuspect(row, decoding.encoding)) return;
      if (row.number === 1) this.#begin(row.cells, needed, decoding.encoding, delimiter);
      else if (row.cells.some((cell) => cell.trim() !== "") && this.#isWhole(row)) {
        rows++;
        take({ number: row.number, get: (field) => this.#cell(row, field) });
      }
    });
    if (this.#headings.length === 0)
      throw new CommandError(`${this.file} is empty; accepted: a row of headings, then rows.`);
    refuseOn(this.#reading.problems);
    if (rows === 0) this.#reading.notes.add(`No row in ${this.file}`);
  }

  /** Reports a faulty cell. `why` says what is accepted. */
  wrong(row: number, field: Field<S>, value: string, why: string): void {
    const heading = this.#headings[this.#columns.get(field) ?? -1] ?? field;
    this.tell(row, `${show(heading)} is ${show(value)}; ${why}`);
  }

  tell(row: number, message: string): void {
    this.#reading.problems.add({ file: this.file, line: row, message });
  }

  #begin(
    cells: readonly string[],
    needed: readonly (readonly string[])[],
    encoding: string,
    delimiter: string,
  ): void {
    this.#headings = cells.map((cell) => cell.trim());
    this.#columns = this.#reading.headings.columnsOf(this.sheet, this.file, this.#headings);
    for (const fields of needed) {
      if (fields.some((field) => this.#columns.has(field))) continue;
      throw new CommandError(
        `${this.file} has no column for ${fields.join(" or ")}, but ${listOf(this.#headings)}; ` +
          `name it with --columns ${fields[0]}=…`,
      );
    }
    const used = [...this.#columns].map(([field, index]) => `${field} is ${show(this.#headings[index])}`);
    const { notes } = this.#reading;
    notes.add(
      `${this.file} is ${encoding} with ${DELIMITER_NAMES[delimiter] ?? delimiter}s: ${used.join(", ")}`,
    );
    const taken = new Set(this.#columns.values());
    for (const [index, heading] of this.#headings.entries()) {
      if (!taken.has(index) && heading !== "")
        notes.add(`Columns of ${this.file} that are not used`, heading);
    }
  }

  #cell({ cells }: RawRow, field: string): string {
    const index = this.#columns.get(field);
    return index === undefined ? "" : (cells[index]?.trim() ?? "");
  }

  /** Whether a row has a cell for each heading, and its quotes are right. */
  #isWhole({ number, cells, fault }: RawRow): boolean {
    const extra = cells.slice(this.#headings.length).some((cell) => cell.trim() !== "");
    if (fault !== undefined)
      this.tell(number, `the row begins with ${show(cells[0])}; its quotes are wrong: ${fault}`);
    else if (extra || cells.length < this.#headings.length) {
      const why = extra ? "is there a delimiter in a text without quotes?" : "are the last ones missing?";
      this.tell(
        number,
        `the row has ${cells.length} cells, the first is ${show(cells[0])}; accepted: ${this.#headings.length}, one for each heading; ${why}`,
      );
    } else return true;
    return false;
  }

  /** Reports a row with invalid bytes. Returns whether there were any. */
  #tellSuspect({ number, cells }: RawRow, encoding: string): boolean {
    const index = cells.findIndex((cell) => /[\uFFFD\0]/u.test(cell));
    if (index < 0) return false;
    const column = this.#headings[index] ?? `column ${index + 1}`;
    this.tell(
      number,
      `${show(column)} is ${show(cells[index])}; accepted: ${encoding} without U+0000; give the encoding with --encoding, such as windows-1252`,
    );
    return true;
  }
}
