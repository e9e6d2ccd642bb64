/** Stores the hashes of a whole file's lines, so that the next import recognizes known lines without parsing them. */
import type { Staging } from "../../engine/engine.ts";
import type { RecordNames } from "../../schema/record-change.ts";
import { hashOfKey, hashOfLine } from "./hash.ts";

/** The number of 32-bit words per line: two for the hash of the line, one for the hash of its record's key. */
export const WORDS = 3;

/** The number of lines per row. */
const LINES = 4096;

export class LineKeeper {
  readonly #staging: Staging;
  #words = new Uint32Array(WORDS * LINES);
  #filled = 0;
  #rows = 0;

  private constructor(staging: Staging) {
    this.#staging = staging;
  }

  static async begin(staging: Staging): Promise<LineKeeper> {
    await staging.create("staged_line_hash", `number bigint, hashes ${staging.dialect.bytes}`);
    return new LineKeeper(staging);
  }

  get lines(): number {
    return this.#rows * LINES + this.#filled / WORDS;
  }

  /** Adds the line of a record. If the result is a promise, await it before the next call. */
  add(text: string, key: RecordNames): Promise<void> | undefined {
    const [low, high] = hashOfLine(text);
    this.#words[this.#filled++] = low;
    this.#words[this.#filled++] = high;
    this.#words[this.#filled++] = hashOfKey(key);
    return this.#filled === this.#words.length ? this.#flush() : undefined;
  }

  /**
   * Stores the collected lines with their revision, and deletes the earlier lines of the generation. Each line must be
   * of a different record.
   */
  async keep(generation: number, revision: number): Promise<void> {
    await this.#flush();
    await this.#staging.erase("line_hash", generation);
    const select = (rows: string) => `SELECT ${generation}, number, ${revision}, hashes FROM ${rows} l`;
    await this.#staging.fill("line_hash", [{ along: "staged_line_hash", select, order: "number" }], () => {});
  }

  async #flush(): Promise<void> {
    const { buffer } = this.#words.slice(0, this.#filled);
    const number = this.#rows++;
    this.#filled = 0;
    await this.#staging.append("staged_line_hash", 2, [number, new Uint8Array(buffer)]);
  }
}
