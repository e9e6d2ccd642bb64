import { WORDS, type Words } from "../../../../sets/words.ts";

/** The words of each set of a chunk that have differing slots, computed on first use. */
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

  from(place: number): number {
    return this.#from[place] ?? 0;
  }

  /** Lists the words of a set that have differing slots, and returns the end of that list. */
  find(place: number, set: Words, differing: Words): number {
    if (this.#found[place] === this.#serial) return this.#to[place] ?? 0;
    this.#found[place] = this.#serial;
    this.#from[place] = this.#length;
    if (this.#length + WORDS > this.indexes.length) this.#grow();
    for (let index = 0; index < WORDS; index++) {
      const bits = (set[index] ?? 0) & (differing[index] ?? 0);
      if (bits === 0) continue;
      this.indexes[this.#length] = index;
      this.bits[this.#length++] = bits;
    }
    this.#to[place] = this.#length;
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
