/** Many texts in one buffer of UTF-8. */
import { Words } from "./lists.ts";
import { type Numbering, renumbered } from "./numbering.ts";

/** Text `i` has the bytes from `begins[i]` up to `ends[i]`. A text that is appended later may lie anywhere behind. */
export interface Texts {
  readonly bytes: Buffer;
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
}

export function textOf({ bytes, begins, ends }: Texts, i: number): string {
  return bytes.toString("utf8", begins[i], ends[i]);
}

/** A text in UTF-8, with one character for each byte. */
export function bytesOf({ bytes, begins, ends }: Texts, i: number): string {
  return bytes.toString("latin1", begins[i], ends[i]);
}

/**
 * The first index whose text is at least `wanted`, by bytes; the number of texts if all are smaller. The texts must
 * ascend; those of `order`, which may be some of them, in this order.
 */
export function firstFrom(texts: Texts, wanted: string, order?: Uint32Array): number {
  const bytes = Buffer.from(wanted);
  let [low, high] = [0, (order ?? texts.begins).length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const i = order === undefined ? middle : (order[middle] ?? 0);
    if (texts.bytes.compare(bytes, 0, bytes.length, texts.begins[i], texts.ends[i]) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index whose text is greater than `key`; as {@link firstFrom}. */
export function firstAfter(texts: Texts, key: string, order?: Uint32Array): number {
  const found = firstFrom(texts, key, order);
  const i = order === undefined ? found : order[found];
  return found < texts.begins.length && i !== undefined && textOf(texts, i) === key ? found + 1 : found;
}

/** How many bytes of a buffer have texts of some model. What is appended goes behind them and changes none. */
const written = new WeakMap<Buffer, number>();

/** A buffer of which `length` bytes are about to be written, with room behind them: memory that costs nothing until then. */
export function withRoom(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length + (length >>> 4));
  written.set(bytes, length);
  return bytes;
}

/** How many bytes are copied until others get a turn: some milliseconds. */
const BYTES_A_TURN = 1 << 21;

/**
 * The texts under their next numbers, with those that are `said` by next number. These are appended to the same buffer;
 * without room for them, all texts are copied to a new one, and what no text uses any longer goes.
 */
export function* restated(
  texts: Texts,
  numbering: Numbering,
  said: ReadonlyMap<number, string>,
): Generator<void, Texts> {
  if (said.size === 0 && numbering.now === undefined) return texts;
  // What is said lies nowhere yet.
  const nowhere = new Map(Array.from(said.keys(), (at) => [at, 0]));
  const begins = renumbered(texts.begins, numbering, Uint32Array, nowhere);
  const ends = renumbered(texts.ends, numbering, Uint32Array, nowhere);
  yield;
  let length = 0;
  for (const text of said.values()) length += Buffer.byteLength(text);
  let to = written.get(texts.bytes) ?? texts.bytes.length;
  let { bytes } = texts;
  if (to + length > bytes.length) ({ bytes, to } = yield* copied({ bytes, begins, ends }, length));
  else written.set(bytes, to + length);
  for (const [at, text] of said) {
    begins[at] = to;
    to += bytes.write(text, to);
    ends[at] = to;
  }
  return { bytes, begins, ends };
}

/** The texts in a new buffer with room for `more` bytes, which begin at `to`. Changes begins and ends. */
function* copied(
  { bytes: source, begins, ends }: Texts,
  more: number,
): Generator<void, { readonly bytes: Buffer; readonly to: number }> {
  let length = more;
  for (let i = 0; i < begins.length; i++) length += (ends[i] ?? 0) - (begins[i] ?? 0);
  yield;
  const bytes = withRoom(length);
  let [to, turn] = [0, BYTES_A_TURN];
  for (let i = 0; i < begins.length;) {
    const begin = begins[i] ?? 0;
    let end = begin;
    // Texts that lie one behind the other are copied at once.
    for (; i < begins.length && begins[i] === end && end - begin < BYTES_A_TURN; i++) {
      end = ends[i] ?? end;
      begins[i] = (begins[i] ?? 0) - begin + to;
      ends[i] = end - begin + to;
    }
    source.copy(bytes, to, begin, end);
    to += end - begin;
    if (to < turn) continue;
    turn = to + BYTES_A_TURN;
    yield;
  }
  return { bytes, to };
}

/** Writes texts one after the other. */
export class TextWriter {
  #bytes = Buffer.allocUnsafe(1 << 12);
  readonly #begins = new Words();
  readonly #ends = new Words();
  #length = 0;

  add(text: string): void {
    // A UTF-16 unit has at most three bytes in UTF-8.
    this.#reserve(3 * text.length);
    this.#begins.push(this.#length);
    this.#length += this.#bytes.write(text, this.#length);
    this.#ends.push(this.#length);
  }

  /** Adds texts from one number up to another, which lie one behind the other. */
  copy({ bytes, begins, ends }: Texts, from: number, to: number): void {
    if (from >= to) return;
    const begin = begins[from] ?? 0;
    const end = ends[to - 1] ?? begin;
    this.#reserve(end - begin);
    bytes.copy(this.#bytes, this.#length, begin, end);
    const moved = this.#length - begin;
    for (let i = from; i < to; i++) {
      this.#begins.push((begins[i] ?? 0) + moved);
      this.#ends.push((ends[i] ?? 0) + moved);
    }
    this.#length += end - begin;
  }

  #reserve(more: number): void {
    const most = this.#length + more;
    if (most <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * most);
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }

  texts(): Texts {
    const bytes = withRoom(this.#length);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    return { bytes, begins: this.#begins.array(), ends: this.#ends.array() };
  }
}
