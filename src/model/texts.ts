/** Many texts in one buffer of UTF-8. */
import { Words } from "./lists.ts";

/** Text `i` has the bytes from `begins[i]` up to `ends[i]`. A text that is appended later may lie anywhere behind. */
export interface Texts {
  readonly bytes: Buffer;
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
}

export function textOf({ bytes, begins, ends }: Texts, i: number): string {
  return bytes.toString("utf8", begins[i], ends[i]);
}

/**
 * The first index whose text is at least `wanted`, by bytes; the number of texts if all are smaller. The texts must
 * ascend, in the order of `order` if it is given.
 */
export function firstFrom(texts: Texts, wanted: string, order?: Uint32Array): number {
  const bytes = Buffer.from(wanted);
  let [low, high] = [0, texts.begins.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const i = order === undefined ? middle : (order[middle] ?? 0);
    if (texts.bytes.compare(bytes, 0, bytes.length, texts.begins[i], texts.ends[i]) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Writes texts one after the other. */
export class TextWriter {
  #bytes = Buffer.allocUnsafe(1 << 12);
  readonly #begins = new Words();
  readonly #ends = new Words();
  #length = 0;

  add(text: string): void {
    // A UTF-16 unit has at most three bytes in UTF-8.
    const most = this.#length + 3 * text.length;
    if (most > this.#bytes.length) {
      const more = Buffer.allocUnsafe(2 * most);
      this.#bytes.copy(more, 0, 0, this.#length);
      this.#bytes = more;
    }
    this.#begins.push(this.#length);
    this.#length += this.#bytes.write(text, this.#length);
    this.#ends.push(this.#length);
  }

  texts(): Texts {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    return { bytes, begins: this.#begins.array(), ends: this.#ends.array() };
  }
}
