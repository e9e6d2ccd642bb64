/** Stores the hashes of a whole file's lines, so that known lines need not be parsed again. */
import type { Staging } from "../../engine/engine.ts";
import { hashOfKey, hashOfLine, type RecordKey } from "./hash.ts";

/** The 32-bit words per line: two for its hash, one for that of its record's key. */
export const WORDS = 3;

/** The number of lines per row. */
const LINES = 4096;

/** Collects the hashes of an import's lines. */
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

  /** The number of added lines. */
  get lines(): number {
    return this.#rows * LINES + this.#filled / WORDS;
  }

  /** Adds a record's line. Returns a promise only if the caller must wait for the database. */
  add(text: string, key: RecordKey): Promise<void> | undefined {
    const [low, high] = hashOfLine(text);
    this.#words[this.#filled++] = low;
    this.#words[this.#filled++] = high;
    this.#words[this.#filled++] = hashOfKey(key);
    return this.#filled === this.#words.length ? this.#flush() : undefined;
  }

  /**
   * Stores the collected lines for a revision, and deletes the earlier lines of its generation. Each line must be of
   * a different record.
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
