/**
 * Names that get numbers from 0 in the order in which they are first met: an open table of hashes beside the bytes of the
 * names. A map of a million texts costs several times as much per look-up.
 */
import { Column, Texts, within } from "./columns.ts";

/** What a slot of the table has: the hash, the number + 1 or 0, where the name begins, and its length. */
const WORDS = 4;

const ROOM = Buffer.allocUnsafeSlow(1 << 12);

export class Names {
  #slots = new Uint32Array(WORDS << 10);
  #mask = (1 << 10) - 1;
  readonly #texts = new Texts();
  readonly #begins = new Column();
  readonly #lengths = new Column();

  get length(): number {
    return this.#begins.length;
  }

  /** The number of a name, which is not longer than the ids of records. */
  number(name: string): number {
    return this.numberOf(ROOM, 0, ROOM.write(name));
  }

  /** The number of the name with the bytes from `begin` up to `end`. */
  numberOf(bytes: Buffer, begin: number, end: number): number {
    const hash = hashOf(bytes, begin, end);
    const at = this.#slotOf(hash, bytes, begin, end);
    const found = this.#slots[at + 1] ?? 0;
    return found > 0 ? found - 1 : this.#add(at, hash, bytes, begin, end);
  }

  /** The number of a name that was met; `undefined` for any other. */
  find(name: string): number | undefined {
    const length = ROOM.write(name);
    const at = this.#slotOf(hashOf(ROOM, 0, length), ROOM, 0, length);
    const found = this.#slots[at + 1] ?? 0;
    return found > 0 ? found - 1 : undefined;
  }

  /** Where the slot of a name begins: its own, or an empty one. */
  #slotOf(hash: number, bytes: Buffer, begin: number, end: number): number {
    const length = end - begin;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = WORDS * slot;
      if (this.#slots[at + 1] === 0) return at;
      if (this.#slots[at] !== hash || this.#slots[at + 3] !== length) continue;
      if (this.#is(this.#slots[at + 2] ?? 0, bytes, begin, end)) return at;
    }
  }

  #is(at: number, bytes: Buffer, begin: number, end: number): boolean {
    const piece = this.#texts.pieceWith(at);
    const from = within(at) - begin;
    for (let i = begin; i < end; i++) if (piece[from + i] !== bytes[i]) return false;
    return true;
  }

  #add(at: number, hash: number, bytes: Buffer, from: number, end: number): number {
    const number = this.length;
    const begin = this.#texts.add(bytes, from, end);
    this.#begins.push(begin);
    this.#lengths.push(end - from);
    this.#slots[at] = hash;
    this.#slots[at + 1] = number + 1;
    this.#slots[at + 2] = begin;
    this.#slots[at + 3] = end - from;
    if (2 * this.length > this.#mask) this.#grow();
    return number;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#mask = 2 * this.#mask + 1;
    this.#slots = new Uint32Array(2 * slots.length);
    for (let from = 0; from < slots.length; from += WORDS) {
      if (slots[from + 1] === 0) continue;
      let slot = (slots[from] ?? 0) & this.#mask;
      while (this.#slots[WORDS * slot + 1] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots.set(slots.subarray(from, from + WORDS), WORDS * slot);
    }
  }

  name(number: number): string {
    return this.#texts.slice(this.#begins.at(number), this.#lengths.at(number));
  }

  /** In bytes. */
  lengthOf(number: number): number {
    return this.#lengths.at(number);
  }

  /** Copies a name. Returns where it ends. */
  copy(number: number, to: Buffer, at: number): number {
    return this.#texts.copy(this.#begins.at(number), this.#lengths.at(number), to, at);
  }

  /** The bytes that have a name, from `begin` up to `end`. */
  nameIn(number: number): BytesOfText {
    return bytesOf(this.#texts, this.#begins.at(number), this.#lengths.at(number));
  }

  /** All numbers, in the order of the bytes of their names. */
  order(): Uint32Array {
    const count = this.length;
    const same = this.#sameBytes();
    // The first four bytes that differ decide, and the number finds the name again: both fit into one number.
    const room = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
    const keys = new Float64Array(count);
    for (let number = 0; number < count; number++) {
      const { bytes, begin, end } = this.nameIn(number);
      let key = 0;
      for (let i = begin + same; i < begin + same + 4; i++) key = 256 * key + (i < end ? (bytes[i] ?? 0) : 0);
      keys[number] = key * room + number;
    }
    keys.sort();
    const order = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[i] = (keys[i] ?? 0) % room;
    const keyAt = (i: number) => Math.floor((keys[i] ?? 0) / room);
    for (let from = 0, to = 1; from < count; from = to++) {
      while (to < count && keyAt(to) === keyAt(from)) to++;
      if (to - from > 1) order.subarray(from, to).sort((a, b) => this.bytes(a).compare(this.bytes(b)));
    }
    return order;
  }

  /** How many bytes at the beginning are the same in all names. */
  #sameBytes(): number {
    if (this.length < 2) return 0;
    const first = this.nameIn(0);
    let same = first.end - first.begin;
    for (let number = 1; number < this.length && same > 0; number++) {
      const { bytes, begin, end } = this.nameIn(number);
      let i = 0;
      while (i < same && begin + i < end && bytes[begin + i] === first.bytes[first.begin + i]) i++;
      same = i;
    }
    return same;
  }

  /** A view of the bytes of a name. */
  bytes(number: number): Buffer {
    return this.#texts.bytes(this.#begins.at(number), this.#lengths.at(number));
  }
}

/** The bytes of a text, from `begin` up to `end`, among others. */
export interface BytesOfText {
  readonly bytes: Buffer;
  readonly begin: number;
  readonly end: number;
}

export function bytesOf(texts: Texts, begin: number, length: number): BytesOfText {
  const at = within(begin);
  return { bytes: texts.pieceWith(begin), begin: at, end: at + length };
}

export function hashOf(bytes: Buffer, begin: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = begin; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ hash) >>> 0;
}
