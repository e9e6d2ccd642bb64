/** What a conversion keeps of its rows, in plain maps: a million rows of one sheet take less than a gigabyte. */
import { copied } from "../../domain/copied.ts";
import { nfc } from "../../domain/text.ts";

/** Two numbers with a small value: the role of a grantee on a content, given in a row. */
export interface Pair {
  readonly left: number;
  readonly right: number;
  readonly value: number;
  readonly row: number;
}

/** Numbers are below this one. */
const MOST = 2 ** 26;

/** Pairs in the order of rows. */
export class Pairs {
  readonly #pairs = new Map<number, Pair>();

  get size(): number {
    return this.#pairs.size;
  }

  /** Adds a pair. If it exists already, changes nothing and returns the existing one. */
  add(left: number, right: number, value: number, row: number): Pair | undefined {
    const key = left * MOST + right;
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

  add(reference: string, number: number): void {
    const text = copied(nfc(reference));
    this.#numbers.set(text, (this.#numbers.get(text) ?? number) === number ? number : "several");
  }

  find(reference: string): number | "several" | undefined {
    return this.#numbers.get(nfc(reference));
  }
}
