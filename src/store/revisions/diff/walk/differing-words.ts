import { WORDS, type Words } from "../../../../sets/words.ts";

/** Finds the words of each set of a chunk in which slots differ, on first use. */
export class DifferingWords {
  indexes = new Uint8Array(1024);
  bits = new Uint32Array(1024);
  #length = 0;
  #serial = 0;
  readonly #found: Uint32Array;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;

  constructor(size: number) {
    this.#found = new Uint32Array(size);
    this.#from = new Uint32Array(size);
    this.#to = new Uint32Array(size);
  }

  begin(): void {
    this.#serial++;
    this.#length = 0;
  }

  from(setIndex: number): number {
    return this.#from[setIndex] ?? 0;
  }

  /**
   * Appends the words of a set that have differing slots to `indexes` and `bits`, unless they were appended before.
   * They begin at {@link from}; returns their end.
   */
  find(setIndex: number, set: Words, differing: Words): number {
    if (this.#found[setIndex] === this.#serial) return this.#to[setIndex] ?? 0;
    this.#found[setIndex] = this.#serial;
    this.#from[setIndex] = this.#length;
    if (this.#length + WORDS > this.indexes.length) this.#grow();
    for (let index = 0; index < WORDS; index++) {
      const bits = (set[index] ?? 0) & (differing[index] ?? 0);
      if (bits === 0) continue;
      this.indexes[this.#length] = index;
      this.bits[this.#length++] = bits;
    }
    this.#to[setIndex] = this.#length;
    return this.#length;
  }

  #grow(): void {
    const [indexes, bits] = [this.indexes, this.bits];
    this.indexes = new Uint8Array(2 * indexes.length);
    this.indexes.set(indexes);
    this.bits = new Uint32Array(2 * bits.length);
    this.bits.set(bits);
  }
}
