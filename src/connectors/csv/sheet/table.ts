import { CommandError } from "../../../domain/error.ts";
import { nfc } from "../../../domain/text.ts";
import { type Problems, show } from "../../../snapshot/problem.ts";
import { decode } from "./decode.ts";
import { type Field, type Headings, listOf, type Sheet } from "./headings.ts";
import type { Notes } from "./notes.ts";
import { type RawRow, readRows } from "./rows.ts";

const DELIMITER_NAMES: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab" };

/** How tables are read, and what collects their problems and notes. */
export interface TableReading {
  readonly encoding: string | undefined;
  readonly headings: Headings;
  readonly problems: Problems;
  readonly notes: Notes;
}

export interface Row<S extends Sheet> {
  /** From 1 in the first file of the table. The numbers of each further file go on where the last ones ended. */
  readonly number: number;
  /** Whether the row's file has a column for the field. */
  has(field: Field<S>): boolean;
  /** The trimmed cell; empty if the column is missing. */
  get(field: Field<S>): string;
}

/** One file of a table. */
interface Part {
  readonly file: string;
  /** The number of rows of all files before this one, headings included. */
  readonly before: number;
  headings: readonly string[];
  columns: ReadonlyMap<string, number>;
}

/** Throws a CommandError with all problems, if there are any. Call it before a check that would only repeat them. */
export function refuseOn(problems: Problems): void {
  if (problems.count > 0) throw new CommandError(`${problems}\nNothing was converted.`);
}

/** The rows of one or more files of one kind, each with headings of its own. */
export class Table<S extends Sheet> {
  /** The names of the files, for messages. */
  readonly file: string;
  readonly sheet: S;
  readonly #files: readonly string[];
  readonly #reading: TableReading;
  readonly #parts: Part[] = [];

  constructor(sheet: S, files: readonly string[], reading: TableReading) {
    this.sheet = sheet;
    this.file = files.join(", ");
    this.#files = files;
    this.#reading = reading;
  }

  /** Whether one of the files has a column for the field. */
  has(field: Field<S>): boolean {
    return this.#parts.some(({ columns }) => columns.has(field));
  }

  /**
   * Gives each nonblank row to `take`. Each file must have a column for at least one field of each list in `needed`.
   * Throws a CommandError for a missing column, for faulty rows, and for a file that cannot be read.
   */
  async read(needed: readonly (readonly Field<S>[])[], take: (row: Row<S>) => void): Promise<void> {
    let before = 0;
    for (const file of this.#files) before += await this.#readFile(file, before, needed, take);
    refuseOn(this.#reading.problems);
  }

  /** Returns the number of rows, headings included. */
  async #readFile(
    file: string,
    before: number,
    needed: readonly (readonly Field<S>[])[],
    take: (row: Row<S>) => void,
  ): Promise<number> {
    const { encoding, headings, notes, problems } = this.#reading;
    const decoding = await decode(file, encoding);
    const liking = (row: readonly string[]) => headings.known(this.sheet, row);
    const part: Part = { file, before, headings: [], columns: new Map() };
    this.#parts.push(part);
    const has = (field: Field<S>) => part.columns.has(field);
    let [last, rows, suspects] = [0, 0, 0];
    await readRows(file, decoding.texts, liking, (row, delimiter) => {
      last = row.number;
      const suspect = decoding.damaged || decoding.hasNull;
      if (suspect && row.cells.some(isSuspect)) {
        if (++suspects === 1) this.#tellSuspect(part, row, decoding.encoding);
        else problems.addUnnamed(1);
        if (part.headings.length === 0) refuseOn(problems);
        return;
      }
      if (row.number === 1) this.#begin(part, row.cells, needed, decoding.encoding, delimiter);
      else if (row.cells.some((cell) => cell.trim() !== "") && this.#isWhole(part, row)) {
        rows++;
        for (const cell of row.cells) {
          if (cell !== nfc(cell))
            notes.add(`Texts of ${file} in another Unicode form than NFC, compared in NFC`, cell);
        }
        take({ number: before + row.number, has, get: (field) => cellOf(part, row, field) });
      }
    });
    if (part.headings.length === 0)
      throw new CommandError(`${file} is empty; accepted: a row of headings, then rows.`);
    if (rows === 0) notes.add(`No row in ${file}`);
    return last;
  }

  /** Reports a faulty cell. `why` says what is accepted. */
  wrong(row: number, field: Field<S>, value: string, why: string): void {
    const { headings, columns } = this.#partOf(row);
    const heading = headings[columns.get(field) ?? -1] ?? field;
    this.#tell(row, `${show(heading)} is ${show(value)}; ${why}`);
  }

  /** A row, for messages: such as `row 3`, or `row 3 of people.csv` if the table has several files. */
  rowName(row: number): string {
    const { file, before } = this.#partOf(row);
    return `row ${row - before}${this.#files.length > 1 ? ` of ${file}` : ""}`;
  }

  #tell(row: number, message: string): void {
    const { file, before } = this.#partOf(row);
    const form = message === nfc(message) ? "" : "; texts are compared in Unicode form NFC";
    this.#reading.problems.add({ file, line: row - before, message: `${message}${form}` });
  }

  #partOf(row: number): Part {
    const part = this.#parts.findLast(({ before }) => before < row);
    if (part === undefined) throw new RangeError(`There is no row ${row} in ${this.file}.`);
    return part;
  }

  #begin(
    part: Part,
    cells: readonly string[],
    needed: readonly (readonly string[])[],
    encoding: string,
    delimiter: string,
  ): void {
    const { file } = part;
    const headings = cells.map((cell) => cell.trim());
    const columns = this.#reading.headings.columnsOf(this.sheet, file, headings, file === this.#files.at(-1));
    part.headings = headings;
    part.columns = columns;
    for (const fields of needed) {
      if (fields.some((field) => columns.has(field))) continue;
      throw new CommandError(
        `${file} has no column for ${fields.join(" or ")}, but ${listOf(headings)}; ` +
          `name it with --columns ${fields[0]}=…`,
      );
    }
    const used = [...columns].map(([field, index]) => `${field} is ${show(headings[index])}`);
    const { notes } = this.#reading;
    notes.add(`${file} is ${encoding} with ${DELIMITER_NAMES[delimiter] ?? delimiter}s: ${used.join(", ")}`);
    const taken = new Set(columns.values());
    for (const [index, heading] of headings.entries()) {
      if (!taken.has(index) && heading !== "") notes.add(`Columns of ${file} that are not used`, heading);
    }
  }

  /** Whether a row has a cell for each heading, and its quotes are right. */
  #isWhole({ before, headings }: Part, { number, cells, fault }: RawRow): boolean {
    const extra = cells.slice(headings.length).some((cell) => cell.trim() !== "");
    if (fault !== undefined)
      this.#tell(before + number, `the row begins with ${show(cells[0])}; its quotes are wrong: ${fault}`);
    else if (extra || cells.length < headings.length) {
      const why = extra ? "is there a delimiter in a text without quotes?" : "are the last ones missing?";
      this.#tell(
        before + number,
        `the row has ${cells.length} cells, the first is ${show(cells[0])}; accepted: ${headings.length}, one for each heading; ${why}`,
      );
    } else return true;
    return false;
  }

  /** Reports a row with invalid bytes. */
  #tellSuspect({ before, headings }: Part, { number, cells }: RawRow, encoding: string): void {
    const index = cells.findIndex(isSuspect);
    const column = headings[index] ?? `column ${index + 1}`;
    this.#tell(
      before + number,
      `${show(column)} is ${show(cells[index])}; accepted: ${encoding} without U+0000, or the encoding of the file with --encoding, such as windows-1252`,
    );
  }
}

/** Whether a cell had invalid bytes. */
function isSuspect(cell: string): boolean {
  return /[\uFFFD\0]/u.test(cell);
}

function cellOf({ columns }: Part, { cells }: RawRow, field: string): string {
  const index = columns.get(field);
  return index === undefined ? "" : (cells[index]?.trim() ?? "");
}
