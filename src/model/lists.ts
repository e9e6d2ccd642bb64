/** Many lists of whole numbers in two arrays. */

/** The entries of list `x` are `entries[at[x]]` up to, without, `entries[at[x + 1]]`. */
export interface Lists {
  readonly at: Uint32Array;
  readonly entries: Uint32Array;
}

/**
 * What an entry packs beside the number that it is about: one bit in a membership (an owner), three in a permission (the
 * rank of a role).
 */
export const MEMBERSHIP = 1;
export const PERMISSION = 3;

export function packed(number: number, bits: number, value: number): number {
  return ((number << bits) | value) >>> 0;
}

/**
 * The order of the teams of a content. What is painted later covers what was painted before, so the highest role comes
 * last.
 */
export function weakestFirst(a: number, b: number): number {
  const mask = (1 << PERMISSION) - 1;
  return (a & mask) - (b & mask) || b - a;
}

/** How many entries are written until others get a turn: some milliseconds. */
export const ENTRIES_A_TURN = 500_000;

/** Asks for at most `most` entries of a list, from number `from` on. */
export interface Slice {
  readonly from: number;
  readonly most: number;
}

export function lengthOf({ at }: Lists, x: number): number {
  return (at[x + 1] ?? 0) - (at[x] ?? 0);
}

/** The entries of list `x`. */
export function listIn({ at, entries }: Lists, x: number): Uint32Array {
  return entries.subarray(at[x], at[x + 1]);
}

/** The first index in `list`, from `from` up to `to`, whose entry is at least `value`; `to` if there is none. */
export function lowerBound(list: Uint32Array, from: number, to: number, value: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an ascending list has a number. */
export function isAmong(list: Uint32Array, number: number): boolean {
  return list[lowerBound(list, 0, list.length, number)] === number;
}

/**
 * The value that the entry about `number` packs in list `x`; `undefined` without such an entry. The list must ascend.
 */
export function valueIn(lists: Lists, x: number, number: number, bits: number): number | undefined {
  const end = lists.at[x + 1] ?? 0;
  const found = lowerBound(lists.entries, lists.at[x] ?? 0, end, packed(number, bits, 0));
  const entry = lists.entries[found] ?? 0;
  return found < end && entry >>> bits === number ? entry & ((1 << bits) - 1) : undefined;
}

/** Arrays that grow while lists are written one after the other. */
export class ListWriter {
  readonly #at = new Words();
  readonly #entries = new Words();

  constructor() {
    this.#at.push(0);
  }

  add(entry: number): void {
    this.#entries.push(entry);
  }

  /** Ends a list; what is added next belongs to the next one. */
  end(): void {
    this.#at.push(this.#entries.length);
  }

  lists(): Lists {
    return { at: this.#at.array(), entries: this.#entries.array() };
  }
}

/** 32-bit numbers that grow at the end. */
export class Words {
  #words = new Uint32Array(1024);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) {
      const more = new Uint32Array(2 * this.length);
      more.set(this.#words);
      this.#words = more;
    }
    this.#words[this.length++] = word;
  }

  array(): Uint32Array {
    return this.#words.slice(0, this.length);
  }
}

/**
 * The same pairs by their other side: list `y` of the result has the numbers of the lists with an entry about `y`,
 * ascending, with the values that these entries pack if `keep` is true. `count` is the number of lists of the result.
 */
export function* inverted(lists: Lists, count: number, bits: number, keep: boolean): Generator<void, Lists> {
  const { at: sourceAt, entries: source } = lists;
  const at = new Uint32Array(count + 1);
  for (let i = 0; i < source.length; i++) {
    const next = ((source[i] ?? 0) >>> bits) + 1;
    at[next] = (at[next] ?? 0) + 1;
    if (i % ENTRIES_A_TURN === ENTRIES_A_TURN - 1) yield;
  }
  for (let y = 0; y < count; y++) at[y + 1] = (at[y + 1] ?? 0) + (at[y] ?? 0);
  yield;
  const entries = new Uint32Array(source.length);
  const filled = at.slice(0, count);
  const mask = (1 << bits) - 1;
  let turn = ENTRIES_A_TURN;
  for (let x = 0; x + 1 < sourceAt.length; x++) {
    const end = sourceAt[x + 1] ?? 0;
    for (let i = sourceAt[x] ?? 0; i < end; i++) {
      const entry = source[i] ?? 0;
      const y = entry >>> bits;
      const place = filled[y] ?? 0;
      filled[y] = place + 1;
      entries[place] = keep ? packed(x, bits, entry & mask) : x;
    }
    if (end < turn) continue;
    turn = end + ENTRIES_A_TURN;
    yield;
  }
  return { at, entries };
}
