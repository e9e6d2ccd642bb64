/** Texts for a terminal: messages and results, tables, a line of progress, and how a command fails. */
import type { WriteStream } from "node:tty";
import { ApiError, CommandError, NotVisibleError, RefusedError, UsageError } from "../domain/error.ts";
import { oneLine } from "../domain/text.ts";

/** Writes a message to standard error. Standard output is for results (docs/operations.md). */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** For commands that take turns with imports: another one must end first. */
export function sayWaiting(): void {
  say("Waiting for an import to end …");
}

/** Writes a line of the result. Resolves when the reader can take more. */
export async function print(line: string): Promise<void> {
  await write(`${line}\n`);
}

/** Writes a part of the result. Resolves when the reader can take more. */
export async function write(piece: string | Buffer): Promise<void> {
  if (process.stdout.write(piece)) return;
  await new Promise<void>((resolve) => {
    process.stdout.once("drain", resolve);
  });
}

/** The exit status after Ctrl+C, as shells have it. */
const INTERRUPTED = 130;
const changed: (() => string)[] = [];

function sayChanged(): void {
  say(`\n${changed.at(-1)?.() ?? "Interrupted."}`);
  // Others may have a file to delete before the process ends.
  if (process.listenerCount("SIGINT") === 1) process.exit(INTERRUPTED);
}

/** Runs work. On Ctrl+C, `what` says what was and what was not changed; the innermost one does. */
export async function interruptible<T>(what: () => string, work: () => Promise<T>): Promise<T> {
  if (changed.push(what) === 1) process.on("SIGINT", sayChanged);
  try {
    return await work();
  } finally {
    changed.pop();
    if (changed.length === 0) process.off("SIGINT", sayChanged);
  }
}

const STATUSES = [
  [UsageError, 2],
  [RefusedError, 3],
  [NotVisibleError, 4],
] as const;

/**
 * Reports an error, and sets the exit status (docs/operations.md): 1 if the command failed, 2 for a wrong option or
 * setting, 3 for a refusal, 4 for a revision that is committed but not visible yet.
 */
export function fail(error: unknown, tell = say): void {
  const [, status = 1] = STATUSES.find(([kind]) => error instanceof kind) ?? [];
  process.exitCode = status;
  const foreseen = [UsageError, CommandError, ApiError].some((kind) => error instanceof kind);
  if (foreseen && error instanceof Error) tell(reasonIn(error));
  else tell(`Unexpected error: ${error instanceof Error ? error.stack : String(error)}`);
}

/** At the terminal, the database's own message helps; API clients never see it. */
function reasonIn(error: Error): string {
  if (!(error instanceof ApiError && error.cause instanceof Error)) return error.message;
  return `${error.message} (${error.cause.message})`;
}

/** Characters that take two columns. */
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|\uFE0F|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The width of a text in columns of a terminal: a combined character counts once, a wide one twice. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007E\u00A0-\u02FF]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

const GAP = "  ";

/** The narrowest column that cells are cut for. */
const NARROWEST = 8;

/**
 * Columns of text. A column in which all cells are numbers is aligned to the right. On a terminal, the widest columns of
 * text are cut until the table has its width; an ellipsis shows it. Nothing is cut in a pipe or a file.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY,
): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => oneLine(String(cell))));
  const right = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"),
  );
  const widths = head.map((_, column) => widest(cells, column));
  const most = () => Math.max(...widths.filter((_, column) => right[column] === false));
  const gaps = GAP.length * (head.length - 1);
  for (let over = sumOf(widths) + gaps - columns; over > 0 && most() > NARROWEST; over--) {
    const widestText = widths.findIndex((width, column) => right[column] === false && width === most());
    widths[widestText] = most() - 1;
  }
  return cells
    .map((row) => {
      const padded = row.map((whole, column) => {
        const cell = cut(whole, widths[column] ?? 0);
        const space = " ".repeat((widths[column] ?? 0) - widthOf(cell));
        return right[column] ? space + cell : cell + space;
      });
      return padded.join(GAP).trimEnd();
    })
    .join("\n");
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The text, or its beginning with an ellipsis, in at most `width` columns. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

function widest(cells: readonly (readonly string[])[], column: number): number {
  let width = 0;
  for (const row of cells) width = Math.max(width, widthOf(row[column] ?? ""));
  return width;
}

/** The shortest time between two redraws, in milliseconds. */
const REDRAW_INTERVAL = 100;
const CLEAR = "\r\u001b[K";
const BAR = 30;

type Terminal = Pick<WriteStream, "isTTY"> & { write(text: string): boolean };

/** Shows progress on one line of the terminal; nothing without a terminal. */
export class StatusLine {
  readonly #stream: Terminal;
  #drawn = 0;

  constructor(stream: Terminal = process.stderr) {
    this.#stream = stream;
  }

  /** Redraws the line. With `often`, calls that come too early draw nothing, and do not call `text`. */
  show(text: () => string, often = true): void {
    const now = Date.now();
    if (!this.#stream.isTTY || (often && now - this.#drawn < REDRAW_INTERVAL)) return;
    this.#drawn = now;
    this.#stream.write(`${CLEAR}${text()}`);
  }

  /** Removes the line. May be called again. */
  end(): void {
    if (this.#drawn > 0) this.#stream.write(CLEAR);
    this.#drawn = 0;
  }

  [Symbol.dispose](): void {
    this.end();
  }
}

/** After how many milliseconds a load is shown. */
const SHOWN_AFTER = 1_000;

/** Shows on one line of the terminal how far an organization is loaded, if that takes longer than a second. */
export class LoadingLine {
  readonly #line: StatusLine;
  readonly #now: () => number;
  #began: number | undefined;

  constructor(line = new StatusLine(), now = () => performance.now()) {
    this.#line = line;
    this.#now = now;
  }

  /** `part` goes from 0 to 1. */
  show(part: number): void {
    this.#began ??= this.#now();
    if (part === 1) {
      this.#began = undefined;
      this.#line.end();
    } else if (this.#now() - this.#began > SHOWN_AFTER) this.#line.show(() => `Loading ${bar(part)}`);
  }
}

/** A part from 0 to 1 as a bar and a percentage. */
export function bar(part: number): string {
  const filled = Math.round(part * BAR);
  return `[${"#".repeat(filled)}${"-".repeat(BAR - filled)}] ${Math.floor(part * 100)} %`;
}
