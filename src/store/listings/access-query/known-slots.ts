import { copyOf, type Slots } from "../../../sets/slots.ts";
import type { Words } from "../../../sets/words.ts";
import type { CacheKind } from "../../cache/cache.ts";

/** The most bytes that are kept of one query. */
const MOST_BYTES = 256 * 1024;

/** The approximate size of an entry beside its slots. */
const ENTRY = 100;

export const KNOWN_SLOTS: CacheKind<KnownSlots> = { name: "known-slots", bytes: ({ bytes }) => 200 + bytes };

/** Who has which rank, of chunks that were folded. */
export class KnownSlots {
  /** By chunk and rank. */
  readonly #slots = new Map<number, Slots>();
  #bytes = 0;

  /** The approximate size in memory. It grows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The slots of a chunk that have a rank; `undefined` where that is not known. */
  of(chunk: number, rank: number): Slots | undefined {
    return this.#slots.get(keyOf(chunk, rank));
  }

  remember(chunk: number, rank: number, words: Words): void {
    const key = keyOf(chunk, rank);
    if (this.#slots.has(key)) return;
    const slots = copyOf(words);
    if (this.#bytes + ENTRY + slots.byteLength > MOST_BYTES) return;
    this.#slots.set(key, slots);
    this.#bytes += ENTRY + slots.byteLength;
  }
}

function keyOf(chunk: number, rank: number): number {
  return chunk * 8 + rank;
}
