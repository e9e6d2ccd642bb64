/** The lines of a whole file are kept as hashes, so that a file that says the same need not be read as records. */
import type { Staging } from "../../engine/engine.ts";
import { hashOfKey, hashOfLine, type RecordKey } from "./hash.ts";

/** A line takes its hash and that of its record's key, in words of four bytes. */
export const WORDS = 3;

/** How many lines are in one row. */
const LINES = 4096;

/** Gathers the lines of an import. */
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

  /** How many lines were added. */
  get lines(): number {
    return this.#rows * LINES + this.#filled / WORDS;
  }

  /** Adds the line of a record; a promise only when it is time to wait for the database. */
  add(text: string, key: RecordKey): Promise<void> | undefined {
    const [low, high] = hashOfLine(text);
    this.#words[this.#filled++] = low;
    this.#words[this.#filled++] = high;
    this.#words[this.#filled++] = hashOfKey(key);
    return this.#filled === this.#words.length ? this.#flush() : undefined;
  }

  /** Keeps the lines, each of a record of its own, of a revision in place of those that its generation had. */
  async keep(generation: number, revision: number): Promise<void> {
    await this.#flush();
    await this.#staging.erase("line_hash", generation);
    const select = `SELECT ${generation}, number, ${revision}, hashes FROM staged_line_hash ORDER BY number`;
    await this.#staging.fill("line_hash", [select], () => {});
  }

  async #flush(): Promise<void> {
    const { buffer } = this.#words.slice(0, this.#filled);
    const number = this.#rows++;
    this.#filled = 0;
    await this.#staging.append("staged_line_hash", 2, [number, new Uint8Array(buffer)]);
  }
}
