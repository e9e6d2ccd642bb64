import { Strings } from "./strings.ts";

const FIRST_SLOTS = 1 << 10;
const NONE = -1;

/** Distinct texts, each with a number. */
export class Texts {
  readonly #strings = new Strings();
  /** A hash table with open addressing: the numbers of texts by their hashes. At most half of it is used. */
  #slots = new Int32Array(FIRST_SLOTS).fill(NONE);
  #scratch = Buffer.alloc(1 << 10);

  get size(): number {
    return this.#strings.size;
  }

  /** The number of a text. A text without a number gets the next one. */
  add(text: string): number {
    const slot = this.#slotOf(text);
    const known = this.#slots[slot] ?? NONE;
    if (known !== NONE) return known;
    const number = this.#strings.push(text);
    this.#slots[slot] = number;
    if (this.size * 2 > this.#slots.length) this.#grow();
    return number;
  }

  /** `undefined` for a text without a number. */
  find(text: string): number | undefined {
    const number = this.#slots[this.#slotOf(text)] ?? NONE;
    return number === NONE ? undefined : number;
  }

  /** Throws a RangeError for a number that `add` did not return. */
  at(number: number): string {
    return this.#strings.at(number);
  }

  /** The slot of a text, or a free slot for it. */
  #slotOf(text: string): number {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 3);
    const length = this.#scratch.write(text);
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(this.#scratch, length) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] ?? NONE;
      if (number === NONE || this.#strings.is(number, this.#scratch, length)) return slot;
    }
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(NONE);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      const bytes = this.#strings.bytesAt(number);
      let slot = hashOf(bytes, bytes.length) & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

/** The FNV-1a hash. */
function hashOf(bytes: Buffer, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
