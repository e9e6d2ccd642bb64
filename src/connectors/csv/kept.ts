/**
 * What a conversion keeps of its rows, in plain maps.
 *
 * Typed arrays with hash tables over UTF-8 took less memory at a million rows, in the same time and 245 lines: 203
 * instead of 261 MiB for access, 387 instead of 537 for effective roles, 519 instead of 871 for people, and 851 instead
 * of 1,066 for content (`test/long/csv.test.ts`). A machine that converts a million rows has a gigabyte.
 */
import { nfc } from "../../domain/text.ts";

/** Two numbers with a small value: the role of a grantee on a content, given in a row. */
export interface Pair {
  readonly left: number;
  readonly right: number;
  readonly value: number;
  readonly row: number;
}

/** Numbers are below this one. */
const NUMBERS_END = 2 ** 26;

/** Pairs in the order of rows. */
export class Pairs {
  readonly #pairs = new Map<number, Pair>();

  get size(): number {
    return this.#pairs.size;
  }

  /** Adds a pair. If it exists already, changes nothing and returns the existing one. */
  add(left: number, right: number, value: number, row: number): Pair | undefined {
    const key = left * NUMBERS_END + right;
    const known = this.#pairs.get(key);
    if (known === undefined) this.#pairs.set(key, { left, right, value, row });
    return known;
  }

  [Symbol.iterator](): Iterator<Pair> {
    return this.#pairs.values();
  }
}

/** Finds records by title, path or id, compared in NFC. `several` means that a text names more than one. */
export class References {
  readonly #numbers = new Map<string, number | "several">();

  /** Keeps the text: it must not be a part of a longer one. */
  add(reference: string, number: number): void {
    const text = nfc(reference);
    this.#numbers.set(text, (this.#numbers.get(text) ?? number) === number ? number : "several");
  }

  find(reference: string): number | "several" | undefined {
    return this.#numbers.get(nfc(reference));
  }
}
