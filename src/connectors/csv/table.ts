/**
 * Reads a table from CSV files: recognizes the delimiter and the headings, checks each row, and reports problems by file
 * and row. `Notes` collects what was derived or assumed.
 */
import { Readable } from "node:stream";
import Papa from "papaparse";
import { CommandError, UsageError } from "../../domain/error.ts";
import { fold, nfc } from "../../domain/text.ts";
import { type Problems, show } from "../../snapshot/problem.ts";
import { decode } from "./decode.ts";

const DELIMITERS = [",", ";", "\t"] as const;
/** In characters. A longer row has a quote that is not closed. */
const LONGEST_ROW = 1 << 20;
/** The delimiter is recognized from this many characters, in which the first row must end. */
const BEGINNING = 1 << 16;
/** The number of rows between two reports of progress. */
const PROGRESS = 1000;
/** A first line that declares the delimiter for Excel. It is not a row. */
const DECLARED = /^sep=(.)\n/;

interface RawRow {
  /** From 1, headings included, as a spreadsheet counts. */
  readonly number: number;
  readonly cells: readonly string[];
  /** What is wrong with the quotes of the row; `undefined` if nothing is. */
  readonly fault: string | undefined;
}

/** Rates the headings that a delimiter would give. The delimiter with the highest rating is used. */
type DelimiterRating = (headings: readonly string[]) => number;

/**
 * Reads CSV (RFC 4180) row by row. In `texts`, each line ends with `\n`. The delimiter is a comma, a semicolon or a
 * tab. Throws a CommandError for a row that is too long.
 */
async function readRows(
  file: string,
  texts: AsyncGenerator<string>,
  rating: DelimiterRating,
  take: (row: RawRow, delimiter: string) => void,
): Promise<void> {
  let beginning = "";
  for (let ended = false; !ended && beginning.length < BEGINNING;) {
    const { value, done } = await texts.next();
    ended = done === true;
    if (done !== true) beginning += value;
  }
  const declared = DECLARED.exec(beginning);
  if (declared !== null) beginning = beginning.slice(declared[0].length);
  const delimiter = declared?.[1] ?? delimiterOf(beginning, rating);
  let number = 0;
  let unread = 0;
  let length = 0;
  const source = Readable.from(counted());
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(source, {
      delimiter,
      newline: "\n",
      chunk({ data, errors }) {
        const faults = new Map(errors.map(({ row, message }) => [row, message]));
        for (const [index, cells] of data.entries()) {
          take({ number: ++number, cells, fault: faults.get(index) }, delimiter);
        }
        unread = data.length === 0 ? unread + length : 0;
        if (unread > LONGEST_ROW) {
          throw new CommandError(
            `${file}:${number + 1}: the row is longer than ${LONGEST_ROW} characters; is there a quote that is not closed?`,
          );
        }
      },
      complete: () => resolve(),
      error: reject,
    });
  }).finally(() => source.destroy());

  async function* counted(): AsyncGenerator<string> {
    length = beginning.length;
    yield beginning;
    for await (const text of texts) {
      length = text.length;
      yield text;
    }
  }
}

function delimiterOf(text: string, rating: DelimiterRating): string {
  const likings = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, newline: "\n", preview: 1 });
    return { delimiter, rating: rating(data[0] ?? []), cells: data[0]?.length ?? 0 };
  });
  likings.sort((a, b) => b.rating - a.rating || b.cells - a.cells);
  return likings[0]?.delimiter ?? ",";
}

/** The columns of each kind of file, with the headings that need no `--columns`. */
export const COLUMNS = {
  people: {
    id: ["id", "user id", "user", "username", "login", "account"],
    email: ["e-mail", "e-mail address", "mail", "user principal name"],
    name: ["name", "full name", "display name", "user display name"],
    role: ["role", "organization role", "organisation role"],
    teams: ["teams", "team", "groups", "group"],
    /** The heading is that of `--left`. */
    left: [],
  },
  teams: {
    title: ["title", "team", "name", "group"],
    id: ["id", "team id", "group id"],
    created: ["created", "created at", "created on"],
  },
  members: {
    team: ["team", "group"],
    user: ["user", "person", "e-mail", "e-mail address", "username", "member"],
  },
  content: {
    title: ["title", "name", "content", "space", "page"],
    path: ["path"],
    id: ["id", "content id", "space id", "space key", "key"],
    parent: ["parent", "parent path", "parent id", "collection"],
    level: ["default level", "default", "level", "default access"],
    kind: ["kind", "type"],
    created: ["created", "created at", "created on"],
    updated: ["updated", "updated at", "updated on", "modified"],
  },
  access: {
    content: ["content", "path", "space", "collection", "page", "title"],
    site: ["site"],
    user: ["user", "person", "e-mail", "e-mail address", "username", "member"],
    team: ["team", "group"],
    who: ["who", "user or team", "user or group", "grantee", "principal"],
    role: ["role", "permission", "access", "access level", "permission level"],
  },
  effective: {
    content: ["content", "path", "space", "collection", "page", "title"],
    user: ["user", "person", "e-mail", "e-mail address", "username", "member"],
    role: ["role", "effective role", "permission", "access", "access level", "permission level"],
  },
  sites: {
    site: ["site", "title", "name"],
    id: ["id", "site id"],
    content: ["space", "content", "path"],
    level: ["default level", "default", "level", "default access"],
  },
  roles: {
    from: ["from", "theirs", "their role", "source"],
    to: ["to", "ours", "role", "our role"],
  },
  ids: {
    kind: ["kind"],
    title: ["title", "path"],
    id: ["id"],
  },
} as const;

export type SheetName = keyof typeof COLUMNS;
type FieldOf<S extends SheetName> = keyof (typeof COLUMNS)[S] & string;

/** A heading from `--columns` or `--left`. Without `sheet`, it holds for every file with this field. */
interface NamedHeading {
  readonly option: "--columns" | "--left";
  readonly sheet: string | undefined;
  readonly field: string;
  readonly heading: string;
  used: boolean;
}

/** Finds the field of each heading. */
export class Headings {
  readonly #named: readonly NamedHeading[];

  /**
   * Parses `--columns`, such as `name=Full Name,access.role=Level`. Each value is a line of CSV, because a heading may
   * have a comma. Throws a UsageError for anything else. `left` is the heading of `--left`.
   */
  constructor(columns: readonly string[], left?: string) {
    const named = columns.flatMap((column) => Papa.parse<string[]>(column).data.flat().map(nameOf));
    const option = "--left";
    this.#named =
      left === undefined
        ? named
        : [...named, { option, sheet: "people", field: "left", heading: left, used: false }];
  }

  /** How many of the headings belong to a field. */
  known(sheet: SheetName, headings: readonly string[]): number {
    return headings.filter((heading) => this.#fieldsOf(sheet, heading).length > 0).length;
  }

  /**
   * The column of each field. Throws a CommandError if a field has two columns, and a UsageError if the last file of
   * a sheet is read and none of them has a heading that `--columns` gives for the sheet.
   */
  columnsOf(
    sheet: SheetName,
    file: string,
    headings: readonly string[],
    isLast: boolean,
  ): ReadonlyMap<string, number> {
    const columns = new Map<string, number>();
    for (const [index, heading] of headings.entries()) {
      for (const field of this.#fieldsOf(sheet, heading, headings)) {
        const other = columns.get(field);
        if (other !== undefined) {
          const first = headings[other] ?? "";
          const advice = same(first, heading)
            ? "rename one of them in the file"
            : `choose one with --columns ${sheet}.${field}=…`;
          throw new CommandError(
            `${file}: the headings ${show(first)} and ${show(heading)} may both be ${field}; ${advice}.`,
          );
        }
        columns.set(field, index);
      }
    }
    const lost = isLast ? this.#named.find((name) => name.sheet === sheet && !name.used) : undefined;
    if (lost !== undefined) {
      throw new UsageError(
        `${lost.option} names ${show(lost.heading)} for ${sheet}.${lost.field}, but ${file} has ${listOf(headings)}.`,
      );
    }
    return columns;
  }

  /** Call this after all files. Throws a UsageError for a heading of `--columns` that is in none of them. */
  finish(): void {
    const lost = this.#named.find(({ used }) => !used);
    if (lost === undefined) return;
    throw new UsageError(`${lost.option} names ${show(lost.heading)}, which is a heading of no file.`);
  }

  #fieldsOf(sheet: SheetName, heading: string, among: readonly string[] = [heading]): string[] {
    const fields: Record<string, readonly string[]> = COLUMNS[sheet];
    return Object.keys(fields).filter((field) => {
      const named = this.#named.filter(
        (name) =>
          name.field === field &&
          (name.sheet ?? sheet) === sheet &&
          among.some((other) => same(other, name.heading)),
      );
      if (named.length === 0) return fields[field]?.some((known) => same(known, heading)) ?? false;
      const meant = named.find((name) => same(name.heading, heading));
      if (meant !== undefined) meant.used = true;
      return meant !== undefined;
    });
  }
}

function nameOf(text: string): NamedHeading {
  const [, sheet, field = "", heading = ""] = /^(?:\s*(\w+)\.)?\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  const sheets = Object.entries(COLUMNS).filter(([name]) => sheet === undefined || name === sheet);
  if (heading === "" || !sheets.some(([, fields]) => field in fields)) {
    const names = [...new Set(sheets.flatMap(([, fields]) => Object.keys(fields)))].join(", ");
    throw new UsageError(
      `--columns has ${show(text)}; accepted: a name and a heading, such as name=Full Name or access.role=Level; names: ${names || Object.keys(COLUMNS).join(", ")}.`,
    );
  }
  return { option: "--columns", sheet, field, heading, used: false };
}

/** Ignores case, spaces and punctuation: `E-Mail` is `email`. */
function same(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(heading: string): string {
  return fold(heading).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function listOf(headings: readonly string[]): string {
  return headings.map((heading) => show(heading)).join(", ") || "no headings";
}

const MOST_NAMED = 5;

/** What a conversion derived or assumed, and warnings: sentences, each with a count and the first names. */
export class Notes {
  readonly #notes = new Map<string, { count: number; names: string[] }>();
  readonly #warnings = new Set<string>();

  /** Adds to the count of the sentence `what`. */
  add(what: string, name?: string): void {
    const note = this.#notes.get(what) ?? { count: 0, names: [] };
    this.#notes.set(what, note);
    note.count++;
    if (name !== undefined && note.names.length < MOST_NAMED) note.names.push(name);
  }

  /** Adds to the count of a sentence that is said without `--report` too. */
  warn(what: string, name: string): void {
    this.#warnings.add(what);
    this.add(what, name);
  }

  /** In the order in which the sentences were first added. */
  *lines(which: "all" | "warnings" = "all"): Generator<string> {
    for (const [what, { count, names }] of this.#notes) {
      if (which === "warnings" && !this.#warnings.has(what)) continue;
      const more = count - names.length;
      const rest = names.length > 0 && more > 0 ? `, … and ${more.toLocaleString("en")} more` : "";
      yield names.length === 0
        ? `${what}.`
        : `${what}: ${count.toLocaleString("en")} (${names.map(show).join(", ")}${rest}).`;
    }
  }
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab" };

/** How tables are read, and what collects their problems and notes. */
export interface TableReading {
  readonly encoding: string | undefined;
  readonly headings: Headings;
  readonly problems: Problems;
  readonly notes: Notes;
  /** Is told of rows as they are read. */
  readonly progress: (file: string, rows: number) => void;
}

export interface Row<S extends SheetName> {
  /** From 1 in the first file of the table. The numbers of each further file go on where the last ones ended. */
  readonly number: number;
  /** Whether the row's file has a column for the field. */
  has(field: FieldOf<S>): boolean;
  /** The trimmed cell; empty if the column is missing. */
  get(field: FieldOf<S>): string;
  /** Reports a fault of a cell, as {@link Table.wrong} does. `value` is shown; by default the cell. */
  wrong(field: FieldOf<S>, why: string, value?: string): void;
}

/** One file of a table. */
interface TablePart {
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
export class Table<S extends SheetName> {
  /** The names of the files, for messages. */
  readonly file: string;
  readonly sheet: S;
  readonly #files: readonly string[];
  readonly #reading: TableReading;
  readonly #parts: TablePart[] = [];

  constructor(sheet: S, files: readonly string[], reading: TableReading) {
    this.sheet = sheet;
    this.file = files.join(", ");
    this.#files = files;
    this.#reading = reading;
  }

  /** Whether one of the files has a column for the field. */
  has(field: FieldOf<S>): boolean {
    return this.#parts.some(({ columns }) => columns.has(field));
  }

  /**
   * Gives each nonblank row to `take`. Each file must have a column for at least one field of each list in `needed`.
   * Throws a CommandError for a missing column, for faulty rows, and for a file that cannot be read.
   */
  async read(needed: readonly (readonly FieldOf<S>[])[], take: (row: Row<S>) => void): Promise<void> {
    let before = 0;
    for (const file of this.#files) before += await this.#readFile(file, before, needed, take);
    refuseOn(this.#reading.problems);
  }

  /** Returns the number of rows, headings included. */
  async #readFile(
    file: string,
    before: number,
    needed: readonly (readonly FieldOf<S>[])[],
    take: (row: Row<S>) => void,
  ): Promise<number> {
    const { encoding, headings, notes, problems, progress } = this.#reading;
    const decoding = await decode(file, encoding);
    const liking = (row: readonly string[]) => headings.known(this.sheet, row);
    const part: TablePart = { file, before, headings: [], columns: new Map() };
    this.#parts.push(part);
    const has = (field: FieldOf<S>) => part.columns.has(field);
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
        if (++rows % PROGRESS === 0) progress(file, rows);
        for (const cell of row.cells) {
          if (cell !== nfc(cell))
            notes.add(`Texts of ${file} in another Unicode form than NFC, compared in NFC`, cell);
        }
        const number = before + row.number;
        const get = (field: FieldOf<S>) => cellOf(part, row, field);
        take({
          number,
          has,
          get,
          wrong: (field, why, value = get(field)) => this.wrong(number, field, value, why),
        });
      }
    });
    if (part.headings.length === 0)
      throw new CommandError(`${file} is empty; accepted: a row of headings, then rows.`);
    if (rows === 0) notes.add(`No row in ${file}`);
    return last;
  }

  /** Reports a faulty cell. `why` says what is accepted. */
  wrong(row: number, field: FieldOf<S>, value: string, why: string): void {
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

  #partOf(row: number): TablePart {
    const part = this.#parts.findLast(({ before }) => before < row);
    if (part === undefined) throw new RangeError(`There is no row ${row} in ${this.file}.`);
    return part;
  }

  #begin(
    part: TablePart,
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
  #isWhole({ before, headings }: TablePart, { number, cells, fault }: RawRow): boolean {
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
  #tellSuspect({ before, headings }: TablePart, { number, cells }: RawRow, encoding: string): void {
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

function cellOf({ columns }: TablePart, { cells }: RawRow, field: string): string {
  const index = columns.get(field);
  return index === undefined ? "" : (cells[index]?.trim() ?? "");
}
