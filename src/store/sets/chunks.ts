/** Reads the chunks of a universe in key order, and the order of their slots. */
import { compareIds } from "../../domain/id.ts";
import { hasSlot, slotsDownFrom, slotsFrom, type Words } from "../../sets/words.ts";
import { holds } from "../schema/as-of.ts";
import type { CacheKind } from "../cache.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { NEXT_SLOT, type Universe } from "../schema/set-names.ts";
import { slotsIn } from "../schema/encoding.ts";

export type Order = "asc" | "desc";

/** A range of keys: from `lowest` up to the next chunk's `lowest`. */
export interface Chunk {
  readonly number: number;
  readonly lowest: string;
  /** The revision that opened it, or that last moved some of its keys to another chunk. */
  readonly since: number;
  /** Whether slot order is key order in this chunk. */
  readonly isInOrder: boolean;
}

/** The slots of a chunk in key order, as of a revision. */
export class SlotOrder {
  /** `undefined` if the order of slots is the order of keys. */
  readonly slots: Uint16Array | undefined;
  /** The number of used slots. These are the first slots of the chunk. */
  readonly length: number;

  /** `slots` may include slots that later revisions added; the constructor drops them. */
  constructor(slots: Uint16Array | undefined, length: number) {
    this.slots = slots !== undefined && slots.length > length ? below(slots, length) : slots;
    this.length = length;
  }

  placeOf(slot: number): number {
    return this.slots === undefined ? slot : this.slots.indexOf(slot);
  }

  /**
   * The slots of `words` in key order. `place` is the index to begin with; by default, the first in the given
   * direction.
   */
  *within(words: Words, place: number | undefined, order: Order = "asc"): Generator<number> {
    if (this.slots === undefined) {
      yield* order === "asc" ? slotsFrom(words, place) : slotsDownFrom(words, place);
      return;
    }
    const step = order === "asc" ? 1 : -1;
    const last = this.slots.length - 1;
    const first = order === "asc" ? (place ?? 0) : Math.min(place ?? last, last);
    for (let at = first; at >= 0 && at <= last; at += step) {
      const slot = this.slots[at] ?? 0;
      if (hasSlot(words, slot)) yield slot;
    }
  }
}

/**
 * The slots below a number. A page of a past revision begins with this loop, which takes a fifth of the time of
 * `filter`.
 */
function below(slots: Uint16Array, length: number): Uint16Array {
  const kept = new Uint16Array(length);
  let count = 0;
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0;
    if (slot < length) kept[count++] = slot;
  }
  return kept;
}

/** The columns of {@link SLOTS_OF}. */
export type StoredOrder = [slots: Uint8Array | null, used: number, next: Uint8Array | null];

/**
 * SQL: three columns of chunk `c`.
 * - Its slots sorted by key; null if the order of slots is the order of keys.
 * - The number of its used slots.
 * - The first slot that a later revision added, encoded; null if there is none.
 */
export const SLOTS_OF = `
  c.slots, c.used, (
    SELECT n.bits FROM container n
      WHERE n.generation = $1 AND n.universe = c.universe AND n.chunk = c.chunk AND n.name = '${NEXT_SLOT}'
        AND n.until > $2 ORDER BY n.until LIMIT 1)`;

const SLOT_ORDER = statement<StoredOrder>(
  () => `SELECT ${SLOTS_OF} FROM chunk c WHERE ${holds("c")} AND c.universe = $3 AND c.chunk = $4`,
);

export const ORDERS: CacheKind<SlotOrder> = {
  name: "slots",
  bytes: ({ slots }) => 100 + (slots?.byteLength ?? 0),
};

/** The order of a chunk's slots as of the revision. */
export function slotOrderOf(reading: Reading, universe: Universe, chunk: number): Promise<SlotOrder> {
  return reading.cache.once(ORDERS, reading.at, `${universe}/${chunk}`, async () => {
    const [row] = await reading.read(SLOT_ORDER, ...reading.asOf, universe, chunk);
    return slotOrder(row ?? [null, 0, null]);
  });
}

export function slotOrder([slots, used, next]: StoredOrder): SlotOrder {
  const [given = used] = next === null ? [] : slotsIn(next);
  return new SlotOrder(slots === null ? undefined : slotsIn(slots), given);
}

const CHUNKS = statement<[chunk: number, lowest: string, since: number, isInOrder: number]>(
  () => `
    SELECT c.chunk, c.lowest, c.since, CASE WHEN c.slots IS NULL THEN 1 ELSE 0 END FROM chunk c
      WHERE ${holds("c")} AND c.universe = $3`,
);

const LISTS: CacheKind<readonly Chunk[]> = {
  name: "chunks",
  bytes: (chunks) => chunks.reduce((sum, { lowest }) => sum + 100 + lowest.length, 100),
};

/** The chunks of a universe, in key order. */
export function chunksOf(reading: Reading, universe: Universe): Promise<readonly Chunk[]> {
  return reading.cache.once(LISTS, reading.at, String(universe), async () => {
    const rows = await reading.read(CHUNKS, ...reading.asOf, universe);
    return rows
      .map(([number, lowest, since, isInOrder]) => ({ number, lowest, since, isInOrder: isInOrder === 1 }))
      .sort((a, b) => compareIds(a.lowest, b.lowest));
  });
}
