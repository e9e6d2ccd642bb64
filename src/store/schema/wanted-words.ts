/** The number of bits of the filter; a power of two. */
const MARKS = 4096;

/**
 * A set of words, for look-ups in many texts that list words. A Bloom filter rejects most words that are not in the set
 * without creating a substring. Its one hash uses three characters and the length of a word.
 */
export class WantedWords<Word extends string> {
  readonly #words = new Map<string, Word>();
  readonly #marks = new Uint32Array(MARKS / 32);

  add(word: Word): void {
    this.#words.set(word, word);
    const mark = markOf(word, 0, word.length);
    this.#marks[mark >> 5] = (this.#marks[mark >> 5] ?? 0) | (1 << (mark & 31));
  }

  get all(): readonly Word[] {
    return [...this.#words.values()];
  }

  get size(): number {
    return this.#words.size;
  }

  /** The word between two indexes of a text; `undefined` if the set does not have this word. */
  in(text: string, from: number, to: number): Word | undefined {
    const mark = markOf(text, from, to);
    if (((this.#marks[mark >> 5] ?? 0) & (1 << (mark & 31))) === 0) return undefined;
    return this.#words.get(text.slice(from, to));
  }
}

function markOf(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from);
  const middle = text.charCodeAt((from + to) >> 1);
  const last = text.charCodeAt(to - 1);
  return (first * 31 + middle * 961 + last * 7 + to - from) & (MARKS - 1);
}
