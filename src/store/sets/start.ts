/** Finds where a listing begins: after a key, in the chunk with this key as of the revision. */
import { positionAt, SLOTS, slotOf } from "../../sets/position.ts";
import type { CacheKind } from "../cache/cache.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, SPACES, type Universe } from "../schema/set-names.ts";
import {
  chunkAt,
  chunksOf,
  firstPlace,
  ORDERS,
  type Order,
  type Place,
  placeAfter,
  type SlotOrder,
  slotOrder,
  SLOTS_OF,
  type StoredOrder,
} from "./chunks.ts";

type StartRow = [chunk: number, position: number | null, ...StoredOrder];

/** The chunk with a key, and the key's position in the chunk, if the key ever had one there. */
const AT_KEY = {
  [MEMBERS]: statement<StartRow>(() => atKey(MEMBERS)),
  [SPACES]: statement<StartRow>(() => atKey(SPACES)),
} as const;
const AT_END = statement<StartRow>(() => chunkAt(`c.chunk, NULL, ${SLOTS_OF}`, SPACES));

function atKey(universe: Universe): string {
  const position = `
    SELECT p.position FROM place p
      WHERE p.generation = $1 AND p.universe = ${universe} AND p.key = $3
        AND p.position >= c.chunk * ${SLOTS} AND p.position < (c.chunk + 1) * ${SLOTS}`;
  return chunkAt(`c.chunk, (${position}), ${SLOTS_OF}`, universe, "$3");
}

interface Start {
  readonly place: Place | undefined;
}

const STARTS: CacheKind<Start> = {
  name: "start",
  bytes: ({ place }) => 100 + (place?.order.slots?.byteLength ?? 0),
};

/**
 * Where a walk continues after the key `after`, or where it begins if `after` is `undefined`. Returns `undefined` at
 * the end of the list. The slot there may have no member or space as of the revision.
 */
export async function startAfter(
  reading: Reading,
  universe: Universe,
  after: string | undefined,
  order: Order,
): Promise<Place | undefined> {
  if (!reading.remote) return placeOf(reading, universe, after, order);
  // On a remote database, a page needs its start twice: for reading ahead, and for its list.
  const key = JSON.stringify([universe, order, after]);
  const start = await reading.cache.once(STARTS, reading.at, key, async () => {
    // Reads the list of chunks in the same round trip, because the page may continue in another chunk.
    const [place] = await Promise.all([
      placeOf(reading, universe, after, order),
      chunksOf(reading, universe),
    ]);
    return { place };
  });
  return start.place;
}

async function placeOf(
  reading: Reading,
  universe: Universe,
  after: string | undefined,
  order: Order,
): Promise<Place | undefined> {
  const [row] =
    order === "desc" && after === undefined
      ? await reading.read(AT_END, ...reading.asOf)
      : await reading.read(AT_KEY[universe], ...reading.asOf, after ?? "");
  if (row === undefined) return undefined;
  const [chunk, position, ...stored] = row;
  const slots = slotOrder(stored);
  if (reading.remote) reading.cache.keep(ORDERS, reading.at, `${universe}/${chunk}`, slots);
  if (after === undefined) return firstPlace(chunk, slots, order);
  const step = order === "asc" ? 1 : -1;
  const own = position === null ? -1 : slots.placeOf(slotOf(position));
  const at = isIn(slots, own) ? own + step : await placeNextTo(reading, universe, chunk, slots, after, order);
  if (isIn(slots, at)) return { chunk, place: at, order: slots };
  return placeAfter(reading, universe, chunk, order);
}

function isIn({ length }: SlotOrder, place: number): boolean {
  return place >= 0 && place < length;
}

const NEAREST = (compared: string, order: string) =>
  statement<[position: number]>(
    () => `
      SELECT p.position FROM place p
        WHERE p.generation = $1 AND p.universe = $2 AND p.key ${compared} $3 AND p.position >= $4 AND p.position < $5
        ORDER BY p.key ${order} LIMIT 1`,
  );
const NEXT = { asc: NEAREST(">", "ASC"), desc: NEAREST("<", "DESC") } as const;

/**
 * The index of the chunk's next key in the direction of the walk, for a key without a position in the chunk; -1 if
 * there is no next key.
 */
async function placeNextTo(
  reading: Reading,
  universe: Universe,
  chunk: number,
  slots: SlotOrder,
  key: string,
  order: Order,
): Promise<number> {
  const first = positionAt(chunk, 0);
  const range = [first, first + slots.length] as const;
  const [row] = await reading.read(NEXT[order], reading.generation, universe, key, ...range);
  return row === undefined ? -1 : slots.placeOf(slotOf(row[0]));
}
