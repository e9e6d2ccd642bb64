import { slotsFrom, type Words } from "../../sets/words.ts";
import type { CacheKind } from "../cache/cache.ts";

/**
 * Limits of the cache: chunks without anybody of some rank, pairs of a chunk and a rank, and slots in all of these.
 */
const CHUNKS = 1024;
const FEW_CHUNKS = 256;
const SLOTS = 1024;

/** The approximate size of a full cache. */
const BYTES = 40 * CHUNKS + 100 * FEW_CHUNKS + 8 * SLOTS;

export const KNOWN_SLOTS: CacheKind<KnownSlots> = { name: "known-slots", bytes: () => BYTES };

const NOBODY: readonly number[] = [];

/** Remembers the slots of a rank in folded chunks, if there are none or few. */
export class KnownSlots {
  /** By chunk: one bit for each rank that nobody has. */
  readonly #nobody = new Map<number, number>();
  /** By chunk and rank. */
  readonly #few = new Map<number, readonly number[]>();
  #left = SLOTS;

  /** The slots with a rank in a chunk; `undefined` if unknown. */
  of(chunk: number, rank: number): readonly number[] | undefined {
    const isNobody = ((this.#nobody.get(chunk) ?? 0) & (1 << rank)) !== 0;
    return isNobody ? NOBODY : this.#few.get(keyOf(chunk, rank));
  }

  remember(chunk: number, rank: number, words: Words): void {
    const key = keyOf(chunk, rank);
    if (this.#few.has(key)) return;
    const slots: number[] = [];
    for (const slot of slotsFrom(words)) if (slots.push(slot) > this.#left) return;
    if (slots.length > 0 && this.#few.size < FEW_CHUNKS) {
      this.#left -= slots.length;
      this.#few.set(key, slots);
    }
    const nobody = this.#nobody.get(chunk);
    if (slots.length > 0 || (nobody === undefined && this.#nobody.size === CHUNKS)) return;
    this.#nobody.set(chunk, (nobody ?? 0) | (1 << rank));
  }
}

function keyOf(chunk: number, rank: number): number {
  return chunk * 8 + rank;
}
