import { compareIds } from "../domain/order.ts";
import { chunkOf, SLOTS, slotOf } from "../sets/position.ts";
import { holds } from "./as-of.ts";
import type { CacheKind } from "./cache.ts";
import { type Statement, statement } from "./engine.ts";
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
}

const CHUNKS = statement<[chunk: number, lowest: string, slots: Uint8Array | null]>(
  () => `SELECT c.chunk, c.lowest, c.slots FROM chunk c WHERE ${holds("c")} AND c.universe = $3`,
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
      .map(([number, lowest, slots]) => ({
        number,
        lowest,
        slots: slots === null ? undefined : new Uint16Array(slots.slice().buffer),
      }))
      .sort((a, b) => compareIds(a.lowest, b.lowest));
  });
}

/** Where a walk through chunks stands: a chunk by its place in the list, and a place in the order of its slots. */
export interface Start {
  readonly chunk: number;
  readonly place: number;
}

/** So many places behind a key are looked at: a key has one in each chunk that it ever was in. */
const PLACES = 8;

const NEXT: Readonly<Record<Order, Statement<[position: number]>>> = {
  asc: next(">", "ASC"),
  desc: next("<", "DESC"),
};

/** The places of the keys that come next behind another one. */
function next(behind: string, order: string): Statement<[position: number]> {
  return statement(
    () => `
      SELECT p.position FROM place p
        WHERE p.generation = $1 AND p.universe = $2 AND p.key ${behind} $3 ORDER BY p.key ${order} LIMIT ${PLACES}`,
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
      after === undefined ? [] : reading.read(NEXT[order], reading.generation, universe, after),
    ]);
    const first = order === "asc" ? { chunk: 0, place: 0 } : { chunk: chunks.length - 1, place: SLOTS - 1 };
    if (after === undefined) return first;
    const index = chunks.findLastIndex(({ lowest }) => compareIds(lowest, after) <= 0);
    const chunk = chunks[index];
    if (chunk === undefined) return order === "asc" ? first : { chunk: -1, place: 0 };
    const position = rows.map(([each]) => each).find((each) => chunkOf(each) === chunk.number);
    if (position === undefined) {
      return order === "asc" ? { chunk: index + 1, place: 0 } : { chunk: index - 1, place: SLOTS - 1 };
    }
    const slot = slotOf(position);
    return { chunk: index, place: chunk.slots === undefined ? slot : chunk.slots.indexOf(slot) };
  });
}
