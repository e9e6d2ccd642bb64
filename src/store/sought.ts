/** A power of two. */
const MARKS = 4096;

/**
 * Some ids, made to be looked for in many texts that list others. Nearly all that a text lists are none of these, and a
 * few of their characters tell so, before anything is cut out of the text.
 */
export class Sought<Id extends string> implements Iterable<Id> {
  readonly #ids: ReadonlyMap<string, Id>;
  readonly #marks = new Uint32Array(MARKS / 32);

  constructor(ids: Iterable<Id>) {
    this.#ids = new Map([...ids].map((id) => [id, id]));
    for (const id of this.#ids.values()) {
      const mark = markOf(id, 0, id.length);
      this.#marks[mark >> 5] = (this.#marks[mark >> 5] ?? 0) | (1 << (mark & 31));
    }
  }

  get size(): number {
    return this.#ids.size;
  }

  /** The id that a text has from one place to another; `undefined` if it is none of these. */
  in(text: string, from: number, to: number): Id | undefined {
    const mark = markOf(text, from, to);
    if (((this.#marks[mark >> 5] ?? 0) & (1 << (mark & 31))) === 0) return undefined;
    return this.#ids.get(text.slice(from, to));
  }

  [Symbol.iterator](): Iterator<Id> {
    return this.#ids.values();
  }
}

function markOf(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from);
  const middle = text.charCodeAt((from + to) >> 1);
  const last = text.charCodeAt(to - 1);
  return (first * 31 + middle * 961 + last * 7 + to - from) & (MARKS - 1);
}
