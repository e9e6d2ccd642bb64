/** How many slots a set has for each hash that it holds. */
const ROOM = 2;

/** Hashes of 64 bits, as two halves, and which of them were met: a table of open addresses, since there are millions. */
export class LineSet {
  readonly #mask: number;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #met: Uint8Array;

  /** `size`: how many hashes it will hold, at most. */
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

  /** Whether it holds the hash and meets it for the first time. */
  meet(low: number, high: number): boolean {
    const slot = this.#slotOf(low, high);
    if ((this.#low[slot] === 0 && this.#high[slot] === 0) || this.#met[slot] === 1) return false;
    this.#met[slot] = 1;
    return true;
  }

  /** The slot of a hash, or the free one that would be. Zero stands for a free one: that hash is never held. */
  #slotOf(low: number, high: number): number {
    let slot = low & this.#mask;
    while (!(this.#low[slot] === 0 && this.#high[slot] === 0)) {
      if (this.#low[slot] === low && this.#high[slot] === high) break;
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}
