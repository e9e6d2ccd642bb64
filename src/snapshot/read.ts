/**
 * Reads the records of snapshot files: every line is parsed and validated, and all problems are collected before
 * anything is refused.
 */
import { CommandError } from "../domain/error.ts";
import { type Input, linesOf, type TakeBytes, UnreadableFile } from "./input.ts";
import { Problems, show } from "./problem.ts";
import { COUNT_ACCEPTS, type SnapshotRecord, isEnd } from "./records.ts";
import { inexactCount, repeatedKey, validate } from "./validate.ts";
import { createHash } from "node:crypto";

/** Receives a valid record with the index of its file, and the number of its line. */
type Take = (record: SnapshotRecord, file: number, line: number) => void;

/** Receives a line, as {@link TakeBytes}, with the index of its file, and takes it if it is a valid record. */
type TakePlain = (bytes: Buffer, begin: number, end: number, file: number, line: number) => boolean;

interface WasRead {
  /** The SHA-256 of all files together, hexadecimal. */
  readonly sha256: string;
}

export interface ReadOptions {
  /** Requires an end record in every file. */
  readonly complete?: boolean;
  /** Receives how many bytes were read so far. */
  readonly progress?: (step: { readonly phase: "reading"; readonly bytes: number }) => void;
}

/**
 * Reads snapshot files: `takePlain` receives all lines, and `take` the records of those that it did not take. Throws a
 * CommandError at the end if there are problems; it names the first ones.
 */
export async function readRecords(
  files: readonly Input[],
  options: ReadOptions,
  take: Take,
  takePlain: TakePlain,
): Promise<WasRead> {
  const hash = createHash("sha256");
  const problems = new Problems();
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    const reading = new FileReading(
      inputName(file),
      problems,
      validate,
      (record, line) => {
        if (!isEnd(record)) take(record, index, line);
      },
      (bytes, begin, end, line) => takePlain(bytes, begin, end, index, line),
    );
    await reading.read(file, options.complete === true, (piece) => {
      hash.update(piece);
      bytes += piece.length;
      options.progress?.({ phase: "reading", bytes });
    });
  }
  if (problems.count > 0) throw new CommandError(`${problems}\nNothing was changed.`);
  return { sha256: hash.digest("hex") };
}

const ACCEPTED =
  'accepted: as the last line, {"object":"end","records":N} with the number of records before it';

/** Reads one file: passes each valid record to `take`, and adds a problem for each invalid one. */
export class FileReading<Valid extends { readonly object: string }> {
  readonly #name: string;
  readonly #problems: Problems;
  readonly #check: (value: unknown) => Valid | string;
  readonly #take: (record: Valid, line: number) => void;
  readonly #takePlain: TakeBytes | undefined;
  #records = 0;
  #line = 0;
  /** The line of the end record. No record may follow it. */
  #end: number | undefined;
  #isLateReported = false;

  /** `takePlain` may take lines that are valid records. */
  constructor(
    name: string,
    problems: Problems,
    check: (value: unknown) => Valid | string,
    take: (record: Valid, line: number) => void,
    takePlain?: TakeBytes,
  ) {
    this.#name = name;
    this.#problems = problems;
    this.#check = check;
    this.#take = take;
    this.#takePlain = takePlain;
  }

  /** `heard` receives the bytes. `complete` requires an end record. */
  async read(file: Input, complete: boolean, heard: (piece: Buffer) => void): Promise<void> {
    try {
      const take: TakeBytes = (...line) => this.#takesPlain(...line);
      for await (const lines of linesOf(file, heard, take))
        for (const [line, text] of lines) this.line(text, line);
      if (complete) this.complete();
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      this.add(error.line, error.message);
    }
  }

  #takesPlain(bytes: Buffer, begin: number, end: number, line: number): boolean {
    if (this.#end !== undefined || this.#takePlain?.(bytes, begin, end, line) !== true) return false;
    this.#line = line;
    this.#records++;
    return true;
  }

  /** Reads a line; `undefined` is a line that is not UTF-8. */
  line(text: string | undefined, line: number): void {
    const record = parse(text, this.#check);
    if (record === undefined) return;
    this.#line = line;
    if (this.#end !== undefined) {
      // Only the first line after the end record is reported.
      if (!this.#isLateReported)
        this.add(line, `there is a record after the end record of line ${this.#end}; ${ACCEPTED}`);
      this.#isLateReported = true;
      return;
    }
    if (typeof record !== "string" && isEnd(record)) this.#endAt(line, record);
    else this.#records++;
    if (typeof record === "string") this.add(line, record);
    else this.#take(record, line);
  }

  /** A file that was cut off at the end of a line looks valid; only an end record shows that lines are missing. */
  #endAt(line: number, { records }: { readonly records: number }): void {
    this.#end = line;
    if (records === this.#records) return;
    const message = `end.records is ${records}, but there are ${this.#records} records before it`;
    this.add(line, `${message}: lines are missing or repeated; ${ACCEPTED}`);
  }

  /** Adds a problem if the file has no end record. */
  complete(): void {
    if (this.#end !== undefined) return;
    this.add(
      Math.max(1, this.#line),
      `the end record is missing after ${this.#records} records; ${ACCEPTED}`,
    );
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  add(line: number | undefined, message: string): void {
    this.#problems.add({ file: this.#name, line, message });
  }
}

/** The record of a line, or a message that says what is wrong; `undefined` for a blank line. */
function parse<Valid extends { readonly object: string }>(
  text: string | undefined,
  check: (value: unknown) => Valid | string,
): Valid | string | undefined {
  if (text === undefined) return "the line is not UTF-8, but perhaps windows-1252; accepted: UTF-8";
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const comma = text.trimEnd().endsWith(",") && isJson(text.trimEnd().slice(0, -1));
    if (comma)
      return "the line ends with a comma; accepted: one JSON object per line, and nothing between lines";
    return `the line is ${show(text)}; accepted: one JSON object`;
  }
  const record = check(value);
  if (typeof record === "string") return record;
  const key = repeatedKey(text, record);
  if (key !== undefined)
    return `${record.object} has the field ${show(key)} twice; accepted: each field once`;
  const inexact = inexactCount(text, record);
  if (inexact === undefined) return record;
  return `${record.object}.${inexact.field} is ${inexact.written.slice(0, 100)}; accepted: ${COUNT_ACCEPTS}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The name of a file in messages. */
export function inputName(file: Input): string {
  if (typeof file !== "string") return file.name;
  return file === "-" ? "standard input" : file;
}
