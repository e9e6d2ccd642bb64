/** The bytes and the text of input files, and in plain words what a file is that cannot be read. */
import { CommandError } from "../domain/error.ts";
import { isUtf8 } from "node:buffer";
import { type Stats, createReadStream, statSync } from "node:fs";
import { Readable, pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/** A file cannot be read to its end. `line` is absent if no line is at fault. */
export class UnreadableFile extends CommandError {
  readonly line: number | undefined;

  constructor(line: number | undefined, message: string, cause?: unknown) {
    super(message, { cause });
    this.line = line;
  }
}

const SMALL_CHUNK = 1 << 17;
/** How many bytes at the start of a file say what it is. */
const START = 512;
const WORKBOOK = "a workbook or a zip file";

/** How files that are no text begin. */
const FORMS: readonly (readonly [begin: string, form: string])[] = [
  ["\x89PNG", "an image"],
  ["\xff\xd8\xff", "an image"],
  ["GIF8", "an image"],
  ["%PDF", "a PDF"],
  ["PK\x03\x04", WORKBOOK],
  ["\xd0\xcf\x11\xe0", WORKBOOK],
  ["\x1f\x8b", "a gzip file"],
  ["SQLite format 3\0", "a SQLite database"],
];

/** What a file is that begins with these bytes; `undefined` if it may be text. */
export function formOf(start: Buffer): string | undefined {
  const begin = start.toString("latin1", 0, START);
  const [, form] = FORMS.find(([signature]) => begin.startsWith(signature)) ?? [];
  return form;
}

/** A byte order mark, or a zero in one of the first two bytes, is a sign of UTF-16. */
function isUtf16(start: Buffer): boolean {
  const [first, second] = start;
  if (first === undefined || second === undefined) return false;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return marked || (first === 0) !== (second === 0);
}

/** Throws an UnreadableFile for a file that cannot be UTF-8 text. `accepts` may depend on what the file is. */
function expectText(start: Buffer, accepts: (form: string) => string): void {
  if (isUtf16(start)) throw new UnreadableFile(undefined, "the file is UTF-16; accepted: UTF-8");
  const form = formOf(start) ?? (start.subarray(0, START).includes(0) ? "a binary file" : undefined);
  if (form !== undefined)
    throw new UnreadableFile(undefined, `the file is ${form}; accepted: ${accepts(form)}`);
}

/** Reasons why a file cannot be opened, by system error code. */
const UNOPENED: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder; accepted: a file",
  EACCES: "permission to read it is denied",
  ELOOP: "its links lead in a circle",
};

/** Why a file cannot be opened; `undefined` for an error while it is read. */
export function unopened(cause: unknown): string | undefined {
  return UNOPENED[cause instanceof Error && "code" in cause ? String(cause.code) : ""];
}

/** `undefined` for standard input, and for a file that cannot be looked at: reading it says why. */
export function fileAt(path: string): Stats | undefined {
  try {
    return path === "-" ? undefined : statSync(path);
  } catch {
    return undefined;
  }
}

/** A piece that a stream has read. */
function asBuffer(chunk: unknown): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

/** The bytes of a file, or of standard input for `-`. Throws an UnreadableFile. */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: SMALL_CHUNK });
  try {
    for await (const chunk of source) yield asBuffer(chunk);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableFile(undefined, unopened(cause) ?? message, cause);
  }
}

/**
 * The text of a UTF-8 file in pieces, without a byte order mark. `heard` receives the bytes. Throws an UnreadableFile
 * for a file that is not UTF-8; its message says what is accepted (`accepts`).
 */
export async function* textsOf(
  file: string,
  accepts: string,
  heard: (piece: Buffer) => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (piece?: Buffer) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      const what = `the file is not UTF-8, but perhaps windows-1252; accepted: ${accepts}`;
      throw new UnreadableFile(undefined, what, cause);
    }
  };
  let isStart = true;
  for await (const piece of bytesOf(file)) {
    if (isStart) expectText(piece, () => accepts);
    isStart = false;
    heard(piece);
    yield decoded(piece);
  }
  yield decoded();
}

/** In bytes. Reading stops at a longer line, to bound memory. */
const LONGEST_LINE = 1 << 20;
/** In bytes: how many blank lines may follow each other. A small gzip file can hold them without end. */
const MOST_BLANK = 1 << 20;
const CHUNK = 1 << 20;
/** How many lines say whether a file is CSV. */
const FIRST_LINES = 3;
const NEWLINE = 10;
const GZIP = Buffer.from([0x1f, 0x8b]);
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** A path, `-` for standard input, or the content of a file in pieces. */
export type Input = string | { readonly name: string; readonly pieces: AsyncIterable<string> };

/** A line and its number, from 1. A line that is not UTF-8 is `undefined`. */
type NumberedLine = readonly [line: number, text: string | undefined];

/**
 * Receives a line of UTF-8, which has the bytes from `begin` up to `end`. Says whether it has taken the line, of which no
 * text is needed then.
 */
export type TakeBytes = (bytes: Buffer, begin: number, end: number, line: number) => boolean;

/** Words for messages: what a file must contain, and what makes such a file from CSV. */
const LINES = "one JSON object per line";
const CONVERT = "rolebook convert csv makes such a file from spreadsheets that are saved as CSV";

/**
 * The lines of a file, in blocks of bounded size. A gzip file is recognized by its first bytes; a byte order mark is
 * removed. `read` receives the bytes as they are read. Throws an UnreadableFile for a missing file, a file of another
 * form, a gzip file that was cut off, a line longer than a mebibyte, and more than a mebibyte of blank lines in a row.
 * Lines that `take` takes are left out. Read each block to its end before the next.
 */
export async function* linesOf(
  file: Input,
  read: (piece: Buffer) => void,
  take: TakeBytes = () => false,
): AsyncGenerator<Iterable<NumberedLine>> {
  const source = open(file);
  let first = 1;
  let rest: Buffer = Buffer.alloc(0);
  let start = true;
  let blank = 0;
  try {
    for await (const chunk of decompressed(source, read)) {
      let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (start && data.length >= BOM.length) {
        expectText(data, (form) => `UTF-8 text, ${LINES}${form === WORKBOOK ? `; ${CONVERT}` : ""}`);
        if (data.subarray(0, BOM.length).equals(BOM)) data = data.subarray(BOM.length);
        start = false;
      }
      const end = data.lastIndexOf(NEWLINE) + 1;
      if (end > 0) yield linesIn(data.subarray(0, end - 1));
      rest = data.subarray(end);
      if (rest.length > LONGEST_LINE) throw tooLong(first);
    }
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause;
    throw unreadable(first, cause);
  }
  if (start && rest.equals(BOM)) rest = Buffer.alloc(0);
  if (rest.length === 0) return;
  yield linesIn(rest);

  function* linesIn(block: Buffer): Generator<NumberedLine> {
    const isText = isUtf8(block);
    if (first === 1) refuseOtherForms(firstTexts(block), file);
    for (let at = 0; at <= block.length;) {
      const next = block.indexOf(NEWLINE, at);
      const end = next < 0 ? block.length : next;
      if (end - at > LONGEST_LINE) throw tooLong(first);
      if (isText && take(block, at, end, first)) blank = 0;
      else {
        const line = block.subarray(at, end);
        const text = isText || isUtf8(line) ? line.toString("utf8") : undefined;
        countBlank(text);
        yield [first, text];
      }
      first++;
      at = end + 1;
    }
  }

  function countBlank(text: string | undefined): void {
    if (text === undefined || text.trim() !== "") blank = 0;
    else if ((blank += Buffer.byteLength(text) + 1) > MOST_BLANK) throw tooBlank(first);
  }
}

/** The first lines of a block; a line that is not UTF-8 is `undefined`. */
function* firstTexts(block: Buffer): Generator<string | undefined> {
  for (let at = 0; at <= block.length;) {
    const next = block.indexOf(NEWLINE, at);
    const line = block.subarray(at, next < 0 ? block.length : next);
    yield isUtf8(line) ? line.toString("utf8") : undefined;
    at += line.length + 1;
  }
}

function open(file: Input): Readable {
  if (typeof file !== "string") return Readable.from(file.pieces);
  return file === "-" ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
}

function tooLong(line: number): UnreadableFile {
  return new UnreadableFile(line, `the line is longer than ${LONGEST_LINE} bytes; reading stopped here`);
}

function tooBlank(line: number): UnreadableFile {
  return new UnreadableFile(
    line,
    `there are more than ${MOST_BLANK} bytes of blank lines in a row; reading stopped here`,
  );
}

/** The bytes of a source, decompressed if they are gzip. `read` receives them as they were. */
async function* decompressed(source: Readable, read: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  const chunks = counted(source, read);
  const head = await atLeastTwoBytes(chunks);
  const whole = joined(head, chunks);
  if (!head.subarray(0, 2).equals(GZIP)) {
    yield* whole;
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // If either fails, the other is destroyed, and the loop below throws the error.
  pipeline(whole, gunzip, () => {});
  for await (const chunk of gunzip) yield asBuffer(chunk);
}

async function* counted(source: Readable, read: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const buffer = asBuffer(chunk);
    read(buffer);
    yield buffer;
  }
}

async function atLeastTwoBytes(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* joined(head: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* chunks;
  } finally {
    // A reader that stops at the head would otherwise leave the file open.
    await chunks.return(undefined);
  }
}

/** Throws an UnreadableFile for text of another form, so that not each of its lines is reported. */
function refuseOtherForms(texts: Iterator<string | undefined, void>, file: Input): void {
  const first = Iterator.from(texts)
    .map((text) => text?.trim())
    .filter((text) => text !== "")
    .take(FIRST_LINES)
    .toArray();
  const begin = first.find((text) => text !== undefined) ?? "";
  const refuse = (what: string) => {
    throw new UnreadableFile(undefined, what);
  };
  const one = `accepted: ${LINES}, without commas between them`;
  if (begin.startsWith("[")) refuse(`the file is a JSON array; ${one}, as jq -c '.[]' makes them`);
  if (begin === "{") refuse(`the file holds objects of several lines; ${one}, as jq -c . makes them`);
  const isNamedSo = typeof file === "string" && /\.[ct]sv$/i.test(file);
  const hasCells = /[,;\t]/.test(begin) && !first.some((text) => text?.startsWith("{"));
  if (begin !== "" && !begin.startsWith("{") && (isNamedSo || hasCells))
    refuse(`the file is CSV, it seems; accepted: ${LINES}; ${CONVERT}`);
}

function unreadable(line: number, cause: unknown): UnreadableFile {
  const whole = unopened(cause);
  if (whole !== undefined) return new UnreadableFile(undefined, whole, cause);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = code === "Z_BUF_ERROR" ? "the gzip data ends too early" : message;
  return new UnreadableFile(line, `cannot be read further: ${reason}`, cause);
}
