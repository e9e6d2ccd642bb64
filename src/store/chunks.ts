import { compareIds } from "../domain/order.ts";
import { chunkOf, SLOTS, slotOf } from "../sets/position.ts";
import { FOREVER, holds } from "./as-of.ts";
import type { CacheKind } from "./cache.ts";
import { type Statement, statement } from "./engine.ts";
import { orderOf } from "./slots.ts";
import type { Reading } from "./reading.ts";
import type { Universe } from "./set-names.ts";

/** Whether a listing goes up or down. */
export type Order = "asc" | "desc";

/** A range of keys. It holds those from `lowest` up to the next chunk's. */
export interface Chunk {
  readonly number: number;
  readonly lowest: string;
  /** The slots in the order of their keys; absent while that is their own order. */
  readonly slots: Uint16Array | undefined;
  /** How many of its slots were ever given. */
  readonly used: number;
}

const CHUNKS = statement<[chunk: number, lowest: string, slots: Uint8Array | null, used: number]>(
  () => `SELECT c.chunk, c.lowest, c.slots, c.used FROM chunk c WHERE ${holds("c")} AND c.universe = $3`,
);

const LISTS: CacheKind<readonly Chunk[]> = {
  name: "chunks",
  bytes: (chunks) =>
    chunks.reduce((sum, { lowest, slots }) => sum + 100 + 2 * lowest.length + (slots?.byteLength ?? 0), 0),
};

/** The chunks of a universe, in the order of their keys. */
export function chunksOf(reading: Reading, universe: Universe): Promise<readonly Chunk[]> {
  return reading.cache.once(LISTS, reading.at, String(universe), async () => {
    const rows = await reading.read(CHUNKS, ...reading.asOf, universe);
    return rows
      .map(([number, lowest, slots, used]) => ({
        number,
        lowest,
        slots: slots === null ? undefined : orderOf(slots, used),
        used,
      }))
      .sort((a, b) => compareIds(a.lowest, b.lowest));
  });
}

/** Where a walk through chunks stands: a chunk by its place in the list, and a place in the order of its slots. */
export interface Start {
  readonly chunk: number;
  readonly place: number;
}

/** So many places behind a key are looked at together. */
const PLACES = 8;
/** Behind all places of a key. */
const LAST_PLACE = { asc: FOREVER, desc: -1 } as const;

const NEXT: Readonly<Record<Order, Statement<[key: string, position: number]>>> = {
  asc: next(">", "ASC"),
  desc: next("<", "DESC"),
};

/** The places that come next behind one of a key. */
function next(behind: string, order: string): Statement<[key: string, position: number]> {
  return statement(
    () => `
      SELECT p.key, p.position FROM place p
        WHERE p.generation = $1 AND p.universe = $2 AND (p.key, p.position) ${behind} ($3, $4)
        ORDER BY p.key ${order}, p.position ${order} LIMIT ${PLACES}`,
  );
}

const STARTS: CacheKind<Start> = { name: "start", bytes: () => 50 };

/** Where a listing goes on behind a key, or begins. It may lie behind the last chunk: then nothing is left. */
export function startBehind(
  reading: Reading,
  universe: Universe,
  after: string | undefined,
  order: Order,
): Promise<Start> {
  return reading.cache.once(STARTS, reading.at, JSON.stringify([universe, order, after]), async () => {
    // Asked together: where the database is another machine, that is one wait instead of two.
    const [chunks, rows] = await Promise.all([
      chunksOf(reading, universe),
      after === undefined
        ? []
        : reading.read(NEXT[order], reading.generation, universe, after, LAST_PLACE[order]),
    ]);
    const first = order === "asc" ? { chunk: 0, place: 0 } : { chunk: chunks.length - 1, place: SLOTS - 1 };
    if (after === undefined) return first;
    const index = chunks.findLastIndex(({ lowest }) => compareIds(lowest, after) <= 0);
    const chunk = chunks[index];
    if (chunk === undefined) return order === "asc" ? first : { chunk: -1, place: 0 };
    const place = await nextPlace(reading, universe, order, chunk, chunks[index + 1]?.lowest, rows);
    if (place !== undefined) return { chunk: index, place };
    return order === "asc" ? { chunk: index + 1, place: 0 } : { chunk: index - 1, place: SLOTS - 1 };
  });
}

/**
 * The place, in the order of a chunk's slots, of the first of some keys that has a slot there. Keys that left the
 * organization before the chunk was made have none, and those that came since its slots were read have none yet.
 */
async function nextPlace(
  reading: Reading,
  universe: Universe,
  order: Order,
  chunk: Chunk,
  above: string | undefined,
  first: readonly (readonly [key: string, position: number])[],
): Promise<number | undefined> {
  for (let rows = first; ;) {
    for (const [key, position] of rows) {
      const isBeyond =
        order === "asc"
          ? above !== undefined && compareIds(key, above) >= 0
          : compareIds(key, chunk.lowest) < 0;
      if (isBeyond) return undefined;
      if (chunkOf(position) !== chunk.number) continue;
      const slot = slotOf(position);
      const place = chunk.slots === undefined ? (slot < chunk.used ? slot : -1) : chunk.slots.indexOf(slot);
      if (place >= 0) return place;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PLACES) return undefined;
    rows = await reading.read(NEXT[order], reading.generation, universe, ...last);
  }
}
