import { slotsFrom, type Words } from "../../sets/words.ts";
import type { CacheKind } from "../cache/cache.ts";

/** Limits: chunks known to have nobody of a rank; pairs of a chunk and a rank with their slots; and slots in all of these. */
const CHUNKS = 1024;
const FEW_CHUNKS = 256;
const SLOTS = 1024;

/** The approximate size of all that. */
const BYTES = 40 * CHUNKS + 100 * FEW_CHUNKS + 8 * SLOTS;

export const KNOWN_SLOTS: CacheKind<KnownSlots> = { name: "known-slots", bytes: () => BYTES };

const NOBODY: readonly number[] = [];

/** Who has which rank, of chunks that were folded: those in which nobody or few have it. */
export class KnownSlots {
  /** The ranks that nobody has in a chunk, a bit each. */
  readonly #nobody = new Map<number, number>();
  /** By chunk and rank. */
  readonly #few = new Map<number, readonly number[]>();
  #left = SLOTS;

  /** The slots of a chunk that have a rank; `undefined` where that is not known. */
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
