/** The number of bits of an offset within a chunk; the higher bits are the chunk's number. */
const INSIDE = 20;
const CHUNK = 1 << INSIDE;
const FIRST = 1 << 10;

/**
 * Texts by number, from 0 on. Each takes its bytes and eight more. JavaScript strings would take several times as much,
 * and substrings would keep the files in memory. There is room for 4 GB.
 */
export class Strings {
  readonly #chunks: Buffer[] = [];
  /** Used bytes of the last chunk. */
  #taken = CHUNK;
  #start = new Uint32Array(FIRST);
  #bytes = new Uint32Array(FIRST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Stores a text and returns its number. */
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

  /** The text with a number. Throws a RangeError for a number that `push` did not return. */
  at(number: number): string {
    return this.bytesAt(number).toString();
  }

  /** The text with a number, as UTF-8. */
  bytesAt(number: number): Buffer {
    if (number < 0 || number >= this.#size) throw new RangeError(`There is no text ${number}.`);
    const start = this.#start[number] ?? 0;
    const inside = start & (CHUNK - 1);
    return this.#chunkOf(start).subarray(inside, inside + (this.#bytes[number] ?? 0));
  }

  /** Whether the text with a number equals the first `length` of these bytes. */
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

/** A copy of a text: a substring would keep the whole text in memory. */
export function copied(text: string): string {
  return Buffer.from(text).toString();
}
