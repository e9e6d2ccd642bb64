/** Bits of a position that stand inside a chunk; the others say which chunk. */
const INSIDE = 20;
const CHUNK = 1 << INSIDE;
const FIRST = 1 << 10;

/**
 * Texts under numbers that count from 0, in their bytes and eight more each: a million texts as strings would take
 * several times as much, and keep the text alive that they were cut out of. Room for 4 GB.
 */
export class Strings {
  readonly #chunks: Buffer[] = [];
  /** Bytes taken in the last chunk. */
  #taken = CHUNK;
  #start = new Uint32Array(FIRST);
  #bytes = new Uint32Array(FIRST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Keeps a text; its number. */
  push(text: string): number {
    const bytes = Buffer.byteLength(text);
    if (this.#taken + bytes > CHUNK) {
      this.#chunks.push(Buffer.allocUnsafe(Math.max(CHUNK, bytes)));
      this.#taken = 0;
    }
    const number = this.#size++;
    if (number === this.#start.length) {
      this.#start = widened(this.#start);
      this.#bytes = widened(this.#bytes);
    }
    this.#chunks.at(-1)?.write(text, this.#taken);
    this.#start[number] = (this.#chunks.length - 1) * CHUNK + this.#taken;
    this.#bytes[number] = bytes;
    this.#taken += bytes;
    return number;
  }

  /** The text of a number. Throws a RangeError for one that `push` did not give. */
  at(number: number): string {
    return this.bytesAt(number).toString();
  }

  /** The text of a number as UTF-8. */
  bytesAt(number: number): Buffer {
    if (number < 0 || number >= this.#size) throw new RangeError(`There is no text ${number}.`);
    const start = this.#start[number] ?? 0;
    const inside = start & (CHUNK - 1);
    return this.#chunkOf(start).subarray(inside, inside + (this.#bytes[number] ?? 0));
  }

  /** Whether a number stands for the first `length` of these bytes. */
  is(number: number, bytes: Buffer, length: number): boolean {
    if (this.#bytes[number] !== length) return false;
    const start = this.#start[number] ?? 0;
    const inside = start & (CHUNK - 1);
    return this.#chunkOf(start).compare(bytes, 0, length, inside, inside + length) === 0;
  }

  #chunkOf(start: number): Buffer {
    return this.#chunks[start >>> INSIDE] ?? Buffer.alloc(0);
  }
}

function widened(from: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}

/** A text to be kept on its own: one that was cut out of a longer text keeps all of that in memory. */
export function copied(text: string): string {
  return Buffer.from(text).toString();
}
