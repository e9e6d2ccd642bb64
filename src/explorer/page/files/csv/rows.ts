const QUOTE = 0x22;
const NEWLINE = 0x0a;
/** The number of lines before the rows: five header lines and the column names. */
const HEAD = 6;

export class RowCounter {
  #quoted = false;
  #lines = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // A quote within a quoted cell is doubled, which toggles twice, so it needs no special case.
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      else if (byte === NEWLINE && !this.#quoted) this.#lines++;
    }
  }

  get rows(): number {
    return Math.max(0, this.#lines - HEAD);
  }
}
