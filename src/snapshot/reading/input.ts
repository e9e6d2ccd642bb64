/** The bytes and the text of input files, and in plain words what a file is that cannot be read. */
import { createReadStream } from "node:fs";
import { CommandError } from "../../domain/error.ts";

/** A file cannot be read to its end. `line` is absent if no line is at fault. */
export class UnreadableFile extends CommandError {
  readonly line: number | undefined;

  constructor(line: number | undefined, message: string, cause?: unknown) {
    super(message, { cause });
    this.line = line;
  }
}

const CHUNK = 1 << 17;
/** How many bytes at the start of a file say what it is. */
const START = 512;
export const WORKBOOK = "a workbook or a zip file";

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
export function expectText(start: Buffer, accepts: (form: string) => string): void {
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
};

/** Why a file cannot be opened; `undefined` for an error while it is read. */
export function unopened(cause: unknown): string | undefined {
  return UNOPENED[cause instanceof Error && "code" in cause ? String(cause.code) : ""];
}

/** A piece that a stream has read. */
export function asBuffer(chunk: unknown): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

/** The bytes of a file, or of standard input for `-`. Throws an UnreadableFile. */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
  try {
    for await (const chunk of source) yield asBuffer(chunk);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableFile(undefined, unopened(cause) ?? message, cause);
  }
}

/**
 * The text of a UTF-8 file in pieces, without a byte order mark. `heard` receives the bytes. Throws an UnreadableFile,
 * which says that `accepts` is accepted.
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
