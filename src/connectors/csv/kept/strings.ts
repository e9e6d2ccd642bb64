/** The low bits of a text's start: its offset in a chunk. The others are the chunk's number. */
const INSIDE = 20;
const CHUNK = 1 << INSIDE;
const FIRST = 1 << 10;

/**
 * Texts by number, from 0 on; up to 4 GB. A text takes its UTF-8 bytes and 8 more: JavaScript strings would take
 * several times as much, and slices would keep the files in memory.
 */
export class Strings {
  readonly #chunks: Buffer[] = [];
  /** How many bytes of the last chunk are used. */
  #taken = CHUNK;
  #start = new Uint32Array(FIRST);
  #bytes = new Uint32Array(FIRST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the number of the text. */
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

  /** Throws a RangeError for a number that `push` did not return. */
  at(number: number): string {
    return this.bytesAt(number).toString();
  }

  /** The text as UTF-8. */
  bytesAt(number: number): Buffer {
    if (number < 0 || number >= this.#size) throw new RangeError(`There is no text ${number}.`);
    const start = this.#start[number] ?? 0;
    const inside = start & (CHUNK - 1);
    return this.#chunkOf(start).subarray(inside, inside + (this.#bytes[number] ?? 0));
  }

  /** Whether a text equals the first `length` of these bytes. */
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
