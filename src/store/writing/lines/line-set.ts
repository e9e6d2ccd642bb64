/** The number of slots per hash. */
const ROOM = 2;

/**
 * A hash table with open addressing for millions of 64-bit hashes, each given as two halves. A hash can be marked as
 * met.
 */
export class LineSet {
  readonly #mask: number;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #met: Uint8Array;

  /** `size` is the maximum number of hashes. */
  constructor(size: number) {
    const slots = 2 ** Math.ceil(Math.log2(ROOM * size + 1));
    this.#mask = slots - 1;
    this.#low = new Uint32Array(slots);
    this.#high = new Uint32Array(slots);
    this.#met = new Uint8Array(slots);
  }

  add(low: number, high: number): void {
    const slot = this.#slotOf(low, high);
    this.#low[slot] = low;
    this.#high[slot] = high;
  }

  /** Marks a hash as met, and returns whether the set has it and it was not marked before. */
  meet(low: number, high: number): boolean {
    const slot = this.#slotOf(low, high);
    if ((this.#low[slot] === 0 && this.#high[slot] === 0) || this.#met[slot] === 1) return false;
    this.#met[slot] = 1;
    return true;
  }

  isMet(low: number, high: number): boolean {
    return this.#met[this.#slotOf(low, high)] === 1;
  }

  /** The slot of a hash, or the free slot for it. Zero stands for a free slot, so the hash zero is never stored. */
  #slotOf(low: number, high: number): number {
    let slot = low & this.#mask;
    while (!(this.#low[slot] === 0 && this.#high[slot] === 0)) {
      if (this.#low[slot] === low && this.#high[slot] === high) break;
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}
