const FIRST = 1 << 10;
const NONE = -1;

export interface Pair {
  readonly left: number;
  readonly right: number;
  readonly value: number;
  readonly row: number;
}

/**
 * Pairs of numbers, each with a small value: the role of a grantee on a content. In the order of rows. A pair takes
 * about 20 bytes.
 */
export class Pairs {
  #left = new Int32Array(FIRST);
  #right = new Int32Array(FIRST);
  #row = new Int32Array(FIRST);
  #value = new Uint8Array(FIRST);
  #slots = new Int32Array(FIRST * 2).fill(NONE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a pair. If it exists already, changes nothing and returns the existing one. */
  add(left: number, right: number, value: number, row: number): Pair | undefined {
    const slot = this.#slotOf(left, right);
    const known = this.#slots[slot] ?? NONE;
    if (known !== NONE) return this.#at(known);
    if (this.#size === this.#left.length) {
      this.#grow();
      return this.add(left, right, value, row);
    }
    const number = this.#size++;
    this.#left[number] = left;
    this.#right[number] = right;
    this.#value[number] = value;
    this.#row[number] = row;
    this.#slots[slot] = number;
    return undefined;
  }

  *[Symbol.iterator](): Generator<Pair> {
    for (let number = 0; number < this.#size; number++) yield this.#at(number);
  }

  #at(number: number): Pair {
    return {
      left: this.#left[number] ?? 0,
      right: this.#right[number] ?? 0,
      value: this.#value[number] ?? 0,
      row: this.#row[number] ?? 0,
    };
  }

  #slotOf(left: number, right: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b);
    slot ^= slot >>> 15;
    for (slot &= mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] ?? NONE;
      if (number === NONE || (this.#left[number] === left && this.#right[number] === right)) return slot;
    }
  }

  #grow(): void {
    const size = this.#left.length * 2;
    this.#left = widened(this.#left, new Int32Array(size));
    this.#right = widened(this.#right, new Int32Array(size));
    this.#row = widened(this.#row, new Int32Array(size));
    this.#value = widened(this.#value, new Uint8Array(size));
    this.#slots = new Int32Array(size * 2).fill(NONE);
    for (let number = 0; number < this.#size; number++) {
      this.#slots[this.#slotOf(this.#left[number] ?? 0, this.#right[number] ?? 0)] = number;
    }
  }
}

function widened<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
