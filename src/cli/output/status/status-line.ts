import type { WriteStream } from "node:tty";

/** The shortest time between two redraws, in milliseconds. */
const EVERY = 100;
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
    if (!this.#stream.isTTY || (often && now - this.#drawn < EVERY)) return;
    this.#drawn = now;
    this.#stream.write(`${CLEAR}${text()}`);
  }

  /** Removes the line. May be called again. */
  end(): void {
    if (this.#drawn > 0) this.#stream.write(CLEAR);
    this.#drawn = 0;
  }
}

/** A part from 0 to 1 as a bar and a percentage. */
export function bar(part: number): string {
  const filled = Math.round(part * BAR);
  return `[${"#".repeat(filled)}${"-".repeat(BAR - filled)}] ${Math.floor(part * 100)} %`;
}
