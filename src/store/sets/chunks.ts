/** Where a listing begins and goes on: positions by key, and the chunks in the order of their keys. */
import { compareIds } from "../../domain/order.ts";
import { chunkOf, SLOTS, slotOf } from "../../sets/position.ts";
import { hasSlot, slotsDownFrom, slotsFrom, type Words } from "../../sets/words.ts";
import { holds } from "../schema/as-of.ts";
import type { CacheKind } from "../cache/cache.ts";
import { type Statement, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, SPACES, type Universe } from "../schema/set-names.ts";
import { slotsIn } from "../schema/slots.ts";

/** Whether a listing goes up or down. */
export type Order = "asc" | "desc";

/** A range of keys. It holds those from `lowest` up to the next chunk's. */
export interface Chunk {
  readonly number: number;
  readonly lowest: string;
}

/**
 * A place in a walk: a chunk by its number, and a place in the order of its slots. It counts in that very order: keys that
 * are added to the chunk meanwhile make another one.
 */
export interface Place {
  readonly chunk: number;
  readonly place: number;
  readonly order: SlotOrder;
}

/** The slots of a chunk in the order of their keys. */
export class SlotOrder {
  /** Absent while that is their own order. */
  readonly slots: Uint16Array | undefined;

  constructor(slots: Uint16Array | undefined) {
    this.slots = slots;
  }

  get length(): number {
    return this.slots?.length ?? SLOTS;
  }

  placeOf(slot: number): number {
    return this.slots === undefined ? slot : this.slots.indexOf(slot);
  }

  /** The slots of a set in the order of their keys, from a place on. */
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
 * SQL: the slots of a chunk in the order of their keys; null while that is their own order. Those that were given since
 * the revision are among them.
 */
function slotsOf(universe: string, chunk: string): string {
  return `
    SELECT c.slots FROM chunk c
      WHERE c.generation = $1 AND c.universe = ${universe} AND c.chunk = ${chunk} AND c.until > $2
      ORDER BY c.until LIMIT 1`;
}

const SLOT_ORDER = statement<[slots: Uint8Array | null]>(() => slotsOf("$3", "$4"));

const ORDERS: CacheKind<SlotOrder> = { name: "slots", bytes: ({ slots }) => 100 + (slots?.byteLength ?? 0) };

/** The order of the slots of a chunk that there is as of the revision. */
export function slotOrderOf(reading: Reading, universe: Universe, chunk: number): Promise<SlotOrder> {
  return reading.cache.once(ORDERS, reading.at, `${universe}/${chunk}`, async () => {
    const [row] = await reading.read(SLOT_ORDER, ...reading.asOf, universe, chunk);
    return orderOf(row?.[0] ?? null);
  });
}

function orderOf(slots: Uint8Array | null): SlotOrder {
  return new SlotOrder(slots === null ? undefined : slotsIn(slots));
}

const CHUNKS = statement<[chunk: number, lowest: string]>(
  () => `SELECT c.chunk, c.lowest FROM chunk c WHERE ${holds("c")} AND c.universe = $3`,
);

const LISTS: CacheKind<readonly Chunk[]> = {
  name: "chunks",
  bytes: (chunks) => chunks.reduce((sum, { lowest }) => sum + 100 + lowest.length, 100),
};

/** The chunks of a universe, in the order of their keys. */
export function chunksOf(reading: Reading, universe: Universe): Promise<readonly Chunk[]> {
  return reading.cache.once(LISTS, reading.at, String(universe), async () => {
    const rows = await reading.read(CHUNKS, ...reading.asOf, universe);
    return rows
      .map(([number, lowest]) => ({ number, lowest }))
      .sort((a, b) => compareIds(a.lowest, b.lowest));
  });
}

/** The chunks that follow one in a walk. */
export async function chunksBehind(
  reading: Reading,
  universe: Universe,
  chunk: number,
  order: Order,
): Promise<readonly number[]> {
  const numbers = (await chunksOf(reading, universe)).map(({ number }) => number);
  const at = numbers.indexOf(chunk);
  return order === "asc" ? numbers.slice(at + 1) : numbers.slice(0, at).toReversed();
}

/** The first place of a walk in the chunk that follows another; `undefined` behind the last one. */
export async function placeBehind(
  reading: Reading,
  universe: Universe,
  chunk: number,
  order: Order,
): Promise<Place | undefined> {
  const [following] = await chunksBehind(reading, universe, chunk, order);
  if (following === undefined) return undefined;
  const slots = await slotOrderOf(reading, universe, following);
  return { chunk: following, place: order === "asc" ? 0 : slots.length - 1, order: slots };
}

/** What has a key in each universe. */
const TABLES: Readonly<Record<Universe, string>> = { [MEMBERS]: "member", [SPACES]: "space" };

/** SQL: what begins with the key that comes next behind another one, of those that are there as of the revision. */
export function startsWith(columns: string, universe: Universe, behind: string, order: string): string {
  return `
    SELECT ${columns} FROM place p CROSS JOIN ${TABLES[universe]} t
      WHERE p.generation = $1 AND p.universe = ${universe} ${behind}
        AND ${holds("t")} AND t.position = p.position
      ORDER BY p.key ${order} LIMIT 1`;
}

type Next = Statement<[position: number, slots: Uint8Array | null]>;

function next(universe: Universe, behind: string, order: string): Next {
  const slots = slotsOf(`${universe}`, `p.position / ${SLOTS}`);
  return statement(() => startsWith(`p.position, (${slots})`, universe, behind, order));
}

/** Members are listed upwards alone. */
const NEXT: Readonly<Record<Universe, { readonly asc: Next; readonly desc?: Next; readonly last?: Next }>> = {
  [MEMBERS]: { asc: next(MEMBERS, "AND p.key > $3", "ASC") },
  [SPACES]: {
    asc: next(SPACES, "AND p.key > $3", "ASC"),
    desc: next(SPACES, "AND p.key < $3", "DESC"),
    last: next(SPACES, "", "DESC"),
  },
};

interface Start {
  readonly place: Place | undefined;
}

const STARTS: CacheKind<Start> = {
  name: "start",
  bytes: ({ place }) => 100 + (place?.order.slots?.byteLength ?? 0),
};

/** Where a listing goes on behind a key, or begins; `undefined` where nothing is left. */
export async function startBehind(
  reading: Reading,
  universe: Universe,
  after: string | undefined,
  order: Order,
): Promise<Place | undefined> {
  const key = JSON.stringify([universe, order, after]);
  const { place } = await reading.cache.once(STARTS, reading.at, key, async () => {
    const { asc, desc, last } = NEXT[universe];
    const wanted = order === "asc" ? asc : after === undefined ? last : desc;
    if (wanted === undefined) throw new Error("Members are listed upwards alone.");
    const [[row]] = await Promise.all([
      reading.read(wanted, ...reading.asOf, ...(wanted === last ? [] : [after ?? ""])),
      // A page may run over the end of its chunk: where each read waits, what follows is asked at the same time.
      reading.remote ? chunksOf(reading, universe) : undefined,
    ]);
    if (row === undefined) return { place: undefined };
    const [position, slots] = row;
    const chunk = chunkOf(position);
    const known = orderOf(slots);
    reading.cache.keep(ORDERS, reading.at, `${universe}/${chunk}`, known);
    return { place: { chunk, place: known.placeOf(slotOf(position)), order: known } };
  });
  return place;
}
