import { copyOf, type Slots } from "../../../sets/slots.ts";
import type { Words } from "../../../sets/words.ts";
import type { CacheKind } from "../../cache/cache.ts";

/** The maximum number of cached bytes per query. */
const MOST_BYTES = 256 * 1024;

/** The approximate bytes of a cache entry, without the slots. */
const ENTRY = 100;

export const KNOWN_SLOTS: CacheKind<KnownSlots> = { name: "known-slots", bytes: ({ bytes }) => 200 + bytes };

/** Caches which slots have which rank, for the chunks that a query has folded. */
export class KnownSlots {
  /** The cached slots of each chunk and rank. */
  readonly #slots = new Map<number, Slots>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** The slots of a chunk that have a rank; `undefined` if they are not cached. */
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
