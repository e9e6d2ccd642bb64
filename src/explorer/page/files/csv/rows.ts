const QUOTE = 0x22;
const NEWLINE = 0x0a;
/** The lines that say what the file is, and the one that names its columns. */
const HEAD = 6;

/** Counts the rows of a CSV file, the head not included, from its bytes as they come. */
export class RowCounter {
  #quoted = false;
  #lines = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // A doubled quote closes and opens again, so it needs no case of its own.
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      else if (byte === NEWLINE && !this.#quoted) this.#lines++;
    }
  }

  get rows(): number {
    return Math.max(0, this.#lines - HEAD);
  }
}
