import { isEnd } from "./records.ts";

const ACCEPTED =
  'accepted: as the last line, {"object":"end","records":N} with the number of records before it';

/**
 * Watches over the end of one file: a file that was cut at the end of a line looks valid, unless its last record
 * says how many there should be (contract, section 8). What its methods return is wrong with the file.
 */
export class Ending {
  #records = 0;
  #line = 0;
  #end: number | undefined;
  #told = false;

  /** Counts a line that is not blank, whether it is a valid record or not. */
  count(line: number, record: { readonly object: string } | string): string | undefined {
    this.#line = line;
    if (this.#end !== undefined) {
      // Each further line would say the same.
      if (this.#told) return undefined;
      this.#told = true;
      return `there is a record behind the end record of line ${this.#end}; ${ACCEPTED}`;
    }
    if (typeof record === "string" || !isEnd(record)) {
      this.#records++;
      return undefined;
    }
    this.#end = line;
    if (record.records === this.#records) return undefined;
    return `end.records is ${record.records}, but there are ${this.#records} records before it: lines are missing or repeated; ${ACCEPTED}`;
  }

  /** Whether the end was reached; what follows it is not taken. */
  get reached(): boolean {
    return this.#end !== undefined;
  }

  /** To be asked at the end of a file that must say so itself. */
  missing(): { line: number; message: string } | undefined {
    if (this.#end !== undefined) return undefined;
    return {
      line: Math.max(1, this.#line),
      message: `the end record is missing after ${this.#records} records; ${ACCEPTED}`,
    };
  }
}
