import { statSync } from "node:fs";
import type { WriteStream } from "node:tty";
import { megabytes } from "../../../domain/text.ts";
import type { ImportStep } from "../../../snapshot/import.ts";
import type { Input } from "../../../snapshot/input.ts";
import { bar, StatusLine } from "./status-line.ts";

const PHASES = {
  waiting: "Waiting for another import to end …",
  checking: "Checking …",
  comparing: "Comparing with what is stored …",
  publishing: "Publishing …",
} as const;

/** Shows the progress of an import on one line of the terminal; nothing without a terminal. */
export class ImportProgress {
  readonly #line: StatusLine;
  readonly #total: number | undefined;

  constructor(files: readonly Input[], stream: WriteStream) {
    this.#line = new StatusLine(stream);
    this.#total = sizeOf(files);
  }

  report(step: ImportStep): void {
    this.#line.show(() => this.#text(step), step.phase === "reading" || step.phase === "writing");
  }

  /** Removes the line. May be called again. */
  end(): void {
    this.#line.end();
  }

  #text(step: ImportStep): string {
    if (step.phase === "writing") return `Writing … ${step.rows.toLocaleString("en")} rows`;
    if (step.phase !== "reading") return PHASES[step.phase];
    if (this.#total === undefined) return `Reading … ${megabytes(step.bytes)} MB`;
    const part = this.#total === 0 ? 1 : Math.min(1, step.bytes / this.#total);
    return `Reading ${bar(part)} of ${megabytes(this.#total)} MB`;
  }
}

/** In bytes; `undefined` if one of the files is standard input or is missing. */
function sizeOf(files: readonly Input[]): number | undefined {
  let total = 0;
  for (const file of files) {
    const size =
      typeof file !== "string" || file === "-" ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return undefined;
    total += size;
  }
  return total;
}
