import { isEnd } from "../records.ts";

const ACCEPTED =
  'accepted: as the last line, {"object":"end","records":N} with the number of records before it';

/**
 * Checks how a file ends (contract, section 8). A file that was cut off at the end of a line looks valid; only an end
 * record shows that lines are missing. Methods return a message if something is wrong.
 */
export class Ending {
  #records = 0;
  #line = 0;
  #end: number | undefined;
  #reported = false;

  /** Counts a line that is not blank, with a valid record or not. */
  count(line: number, record: { readonly object: string } | string): string | undefined {
    this.#line = line;
    if (this.#end !== undefined) {
      // Only the first line after the end record is reported.
      if (this.#reported) return undefined;
      this.#reported = true;
      return `there is a record after the end record of line ${this.#end}; ${ACCEPTED}`;
    }
    if (typeof record === "string" || !isEnd(record)) {
      this.#records++;
      return undefined;
    }
    this.#end = line;
    if (record.records === this.#records) return undefined;
    return `end.records is ${record.records}, but there are ${this.#records} records before it: lines are missing or repeated; ${ACCEPTED}`;
  }

  /** Whether the end record was read. No record may follow it. */
  get reached(): boolean {
    return this.#end !== undefined;
  }

  /** The problem of a file without an end record. Call it at the end of a file that needs one. */
  missing(): { line: number; message: string } | undefined {
    if (this.#end !== undefined) return undefined;
    return {
      line: Math.max(1, this.#line),
      message: `the end record is missing after ${this.#records} records; ${ACCEPTED}`,
    };
  }
}
