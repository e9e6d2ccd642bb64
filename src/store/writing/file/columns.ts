/** Numbers and texts that grow while a file is read: in pieces of one size, so that nothing is copied when they grow. */

const PIECE = 1 << 18;

/** Whole numbers from 0 to 2^32 - 1. */
export class Column {
  #pieces: Uint32Array[] = [];
  length = 0;

  push(value: number): void {
    const at = this.length++;
    if (at % PIECE === 0) this.#pieces.push(new Uint32Array(PIECE));
    const piece = this.#pieces[at >>> 18];
    if (piece !== undefined) piece[at % PIECE] = value;
  }

  at(index: number): number {
    return this.#pieces[index >>> 18]?.[index % PIECE] ?? 0;
  }

  /** Sets one value; what lies between it and the last one is {@link NOTHING}. */
  set(index: number, value: number): void {
    while (index >= this.length) this.push(NOTHING);
    const piece = this.#pieces[index >>> 18];
    if (piece !== undefined) piece[index % PIECE] = value;
  }

  clear(): void {
    this.#pieces = [];
    this.length = 0;
  }

  /** Whether a value was set. */
  has(index: number): boolean {
    return index < this.length && this.at(index) !== NOTHING;
  }
}

/** Stands for a value that was not set. */
const NOTHING = 0xffffffff;

const TEXT_PIECE = 1 << 22;

/** Texts in UTF-8, one behind the other. */
export class Texts {
  readonly #pieces: Buffer[] = [];
  #used = 0;

  /** Adds the bytes from `begin` up to `end`, and returns where they lie now. A text never lies in two pieces. */
  add(bytes: Buffer, begin: number, end: number): number {
    const last = this.#withRoom(end - begin);
    const at = this.#used;
    this.#used += bytes.copy(last, at, begin, end);
    return (this.#pieces.length - 1) * TEXT_PIECE + at;
  }

  /** As {@link add}, and says how long the text is in bytes. */
  write(text: string): { readonly begin: number; readonly length: number } {
    // A UTF-16 unit takes at most three bytes.
    const last = this.#withRoom(3 * text.length);
    const at = this.#used;
    const length = last.write(text, at);
    this.#used += length;
    return { begin: (this.#pieces.length - 1) * TEXT_PIECE + at, length };
  }

  #withRoom(length: number): Buffer {
    const last = this.#pieces.at(-1);
    if (last !== undefined && this.#used + length <= TEXT_PIECE) return last;
    const next = Buffer.allocUnsafeSlow(Math.max(TEXT_PIECE, length));
    this.#pieces.push(next);
    this.#used = 0;
    return next;
  }

  /** The piece in which a text begins, at {@link within}. */
  pieceWith(begin: number): Buffer {
    return this.#piece(Math.floor(begin / TEXT_PIECE));
  }

  #piece(piece: number): Buffer {
    const found = this.#pieces[piece];
    if (found === undefined) throw new RangeError(`There is no piece ${piece} of the texts.`);
    return found;
  }

  /** Copies a text. Returns where it ends. */
  copy(begin: number, length: number, to: Buffer, at: number): number {
    const from = within(begin);
    return at + this.pieceWith(begin).copy(to, at, from, from + length);
  }

  slice(begin: number, length: number): string {
    const at = within(begin);
    return this.pieceWith(begin).toString("utf8", at, at + length);
  }

  /** A view of a text. */
  bytes(begin: number, length: number): Buffer {
    const at = within(begin);
    return this.pieceWith(begin).subarray(at, at + length);
  }
}

/** Where in its piece a text begins. */
export function within(begin: number): number {
  return begin % TEXT_PIECE;
}

/** Things by what they belong to: those of `x` are `places[at[x]]` up to, without, `places[at[x + 1]]`, in their order. */
export interface Groups {
  readonly at: Uint32Array;
  readonly places: Uint32Array;
}

/** Groups the places of a column by their values, which are below `count`. */
export function grouped(column: Column, count: number): Groups {
  const at = new Uint32Array(count + 1);
  for (let i = 0; i < column.length; i++) {
    const next = column.at(i) + 1;
    at[next] = (at[next] ?? 0) + 1;
  }
  for (let x = 0; x < count; x++) at[x + 1] = (at[x + 1] ?? 0) + (at[x] ?? 0);
  const filled = at.slice(0, count);
  const places = new Uint32Array(column.length);
  for (let i = 0; i < column.length; i++) {
    const x = column.at(i);
    const place = filled[x] ?? 0;
    places[place] = i;
    filled[x] = place + 1;
  }
  return { at, places };
}

/** Lists of entries: those of `x` are `entries[at[x]]` up to, without, `entries[at[x + 1]]`. */
export interface FileLists {
  readonly at: Uint32Array;
  readonly entries: Uint32Array;
}

/** The entries of a list. */
export function listOf({ at, entries }: FileLists, x: number): Uint32Array {
  return entries.subarray(at[x], at[x + 1]);
}

/** The places of a group. */
export function groupOf({ at, places }: Groups, x: number): Uint32Array {
  return places.subarray(at[x], at[x + 1]);
}
