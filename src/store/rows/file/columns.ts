/** Numbers and texts that grow while a file is read: in pieces of one size, so that nothing is copied when they grow. */

const PIECE = 1 << 18;

/** Whole numbers from 0 to 2^32 - 1. */
export class Column {
  readonly #pieces: Uint32Array[] = [];
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
  #used = TEXT_PIECE;

  /** Adds a text, and returns where it begins. It never lies in two pieces. */
  add(text: Buffer): number {
    if (this.#used + text.length > TEXT_PIECE) {
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(TEXT_PIECE, text.length)));
      this.#used = 0;
    }
    const piece = this.#pieces.length - 1;
    text.copy(this.pieceOf(piece), this.#used);
    const begin = piece * TEXT_PIECE + this.#used;
    this.#used += text.length;
    return begin;
  }

  /** The piece with a text. */
  pieceOf(piece: number): Buffer {
    const found = this.#pieces[piece];
    if (found === undefined) throw new RangeError(`There is no piece ${piece} of the texts.`);
    return found;
  }

  slice(begin: number, length: number): string {
    const at = begin % TEXT_PIECE;
    return this.pieceOf(Math.floor(begin / TEXT_PIECE)).toString("utf8", at, at + length);
  }

  /** A view of a text. */
  bytes(begin: number, length: number): Buffer {
    const at = begin % TEXT_PIECE;
    return this.pieceOf(Math.floor(begin / TEXT_PIECE)).subarray(at, at + length);
  }

  byte(at: number): number {
    return this.#pieces[at >>> 22]?.[at % TEXT_PIECE] ?? 0;
  }
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

/** The places of a group. */
export function groupOf({ at, places }: Groups, x: number): Uint32Array {
  return places.subarray(at[x], at[x + 1]);
}
