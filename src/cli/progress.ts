import { statSync } from "node:fs";
import type { WriteStream } from "node:tty";
import type { ImportStep } from "../snapshot/import.ts";

const WIDTH = 30;
/** How often the line is drawn anew, in milliseconds. */
const EVERY = 100;

const PHASES = {
  waiting: "Waiting for another import to end …",
  checking: "Checking …",
  comparing: "Comparing with what is stored …",
  publishing: "Publishing …",
} as const;

/** One line on a terminal that tells how far an import has come; nothing where there is no terminal. */
export class ImportProgress {
  readonly #stream: WriteStream;
  readonly #total: number | undefined;
  #drawn = 0;

  constructor(files: readonly string[], stream: WriteStream) {
    this.#stream = stream;
    this.#total = sizeOf(files);
  }

  report(step: ImportStep): void {
    if (!this.#stream.isTTY) return;
    const now = Date.now();
    const counts = step.phase === "reading" || step.phase === "writing";
    if (counts && now - this.#drawn < EVERY) return;
    this.#drawn = now;
    this.#stream.write(`\r\u001b[K${this.#line(step)}`);
  }

  /** Takes the line away; may be called more than once. */
  end(): void {
    if (this.#stream.isTTY && this.#drawn > 0) this.#stream.write("\r\u001b[K");
    this.#drawn = 0;
  }

  #line(step: ImportStep): string {
    if (step.phase === "writing") return `Writing … ${step.rows.toLocaleString("en")} rows`;
    if (step.phase !== "reading") return PHASES[step.phase];
    const megabytes = (step.bytes / 1e6).toFixed(1);
    if (this.#total === undefined) return `Reading … ${megabytes} MB`;
    const part = this.#total === 0 ? 1 : Math.min(1, step.bytes / this.#total);
    const filled = Math.round(part * WIDTH);
    return `Reading [${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${Math.floor(part * 100)} % of ${(this.#total / 1e6).toFixed(1)} MB`;
  }
}

/** The bytes of all files together; unknown where standard input is among them or one is missing. */
function sizeOf(files: readonly string[]): number | undefined {
  let total = 0;
  for (const file of files) {
    const size = file === "-" ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return undefined;
    total += size;
  }
  return total;
}
