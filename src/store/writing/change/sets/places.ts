import { compareIds } from "../../../../domain/id.ts";
import { positionAt, SLOTS } from "../../../../sets/position.ts";
import { containerOf } from "../../../../sets/container.ts";
import { addSlot, noSlots } from "../../../../sets/words.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { type Column, statement, writeEach } from "../../../engine/engine.ts";
import { NEXT_SLOT, type Universe } from "../../../schema/set-names.ts";
import { orderOf } from "../../../schema/encoding.ts";
import type { Writing } from "../writing.ts";
import type { LivingChunk } from "./open-chunks.ts";
import { type Room, roomsFor } from "./rooms.ts";

/** SQL: the open chunk with the key `wanted`. A key that was moved also has a position in the chunk that it left. */
const CHUNK_OF = `
  SELECT c.chunk FROM chunk c
    WHERE c.generation = $1 AND c.universe = $2 AND c.lowest <= wanted.value AND c.until = ${FOREVER}
    ORDER BY c.lowest DESC LIMIT 1`;
const AT = statement<[key: string, position: number]>(
  ({ texts }) => `
    SELECT p.key, p.position FROM ${texts("$3", "wanted")} CROSS JOIN place p
      WHERE p.generation = $1 AND p.universe = $2 AND p.key = wanted.value
        AND p.position / ${SLOTS} = (${CHUNK_OF})`,
);
const GIVE = statement<never>(
  ({ given }) => `
    INSERT INTO place (generation, universe, key, position)
      SELECT CAST($1 AS bigint), CAST($2 AS bigint), given.a, given.b FROM ${given(["text", "number"], 3)}`,
);
const USE = statement<never>(
  ({ given }) => `
    UPDATE chunk SET used = given.b, slots = given.c FROM ${given(["number", "number", "bytes"], 3)}
      WHERE generation = $1 AND universe = $2 AND chunk = given.a AND until = ${FOREVER}`,
);
const LATEST_NEXT = `
  coalesce((
    SELECT max(c.until) FROM container c
      WHERE c.generation = $1 AND c.universe = $2 AND c.chunk = given.a AND c.name = '${NEXT_SLOT}'), given.b)`;
/**
 * Inserts the next free slot of a chunk as of the previous revision. Inserts one row per revision at most, because all
 * slots that a revision assigns are new.
 */
const NEXT = statement<never>(
  ({ given }) => `
    INSERT INTO container (generation, universe, chunk, name, until, since, bits)
      SELECT CAST($1 AS bigint), CAST($2 AS bigint), given.a, '${NEXT_SLOT}', CAST($3 AS bigint), ${LATEST_NEXT}, given.c
        FROM ${given(["number", "number", "bytes"], 4)} WHERE ${LATEST_NEXT} < $3`,
);

/**
 * A key that finds its chunk full. `behind` is `all` if the key is greater than all keys of the chunk, `latest` if it
 * continues a sequence of keys, and `any` otherwise.
 */
export interface Newcomer {
  readonly key: string;
  readonly behind: "all" | "latest" | "any";
}

/** Makes room in a full chunk for a new key. */
export type Split = (chunk: LivingChunk, newcomer: Newcomer) => Promise<void>;

/** The number of consecutive keys, each added directly after the previous one, that make a sequence. */
const SEQUENCE = 32;

/** Reads the positions of keys at once, for later calls of {@link positionOfKey}. */
export async function loadPositions(
  { connection, generation, positions }: Writing,
  universe: Universe,
  keys: Iterable<string>,
): Promise<void> {
  const known = positions[universe];
  const unread = [...new Set(keys)].filter((key) => !known.has(key));
  if (unread.length === 0) return;
  for (const key of unread) known.set(key, undefined);
  for (const [key, position] of await connection.read(AT, generation, universe, unread)) {
    known.set(key, position);
  }
}

/** The position of a key in an open chunk, even if its row has ended; `undefined` if the key never had one there. */
export async function positionOfKey(
  writing: Writing,
  universe: Universe,
  key: string,
): Promise<number | undefined> {
  await loadPositions(writing, universe, [key]);
  return writing.positions[universe].get(key);
}

/**
 * Assigns positions to keys. A key that had a position gets it again. `split` makes room in a full chunk, and moves the
 * rows of all its keys. So `settle` must put the row of a key as soon as the key has a position.
 */
export async function assignPositions(
  writing: Writing,
  universe: Universe,
  keys: readonly string[],
  split: Split,
  settle: (key: string, position: number) => void,
): Promise<void> {
  // Adds the keys in order, so that the next higher key of a chunk is never one that this loop adds later.
  let left = keys.toSorted(compareIds);
  while (left.length > 0) left = await assignSome(writing, universe, left, split, settle);
}

/**
 * Assigns positions until a key finds its chunk full, and splits that chunk. Returns this key and the keys after it.
 */
async function assignSome(
  writing: Writing,
  universe: Universe,
  keys: readonly string[],
  split: Split,
  settle: (key: string, position: number) => void,
): Promise<string[]> {
  await loadPositions(writing, universe, keys);
  const known = writing.positions[universe];
  const rooms = await roomsFor(
    writing,
    universe,
    keys.filter((key) => known.get(key) === undefined),
  );
  const assigned = new Map<string, Room>();
  for (const [index, key] of keys.entries()) {
    const room = rooms.get(key);
    if (room?.chunk.used === SLOTS) {
      await writeAssigned(writing, universe, assigned);
      await split(room.chunk, { key, behind: whatIsBefore(room) });
      return keys.slice(index);
    }
    if (room !== undefined) {
      known.set(key, assignSlot(room));
      assigned.set(key, room);
    }
    const position = known.get(key);
    if (position !== undefined) settle(key, position);
  }
  await writeAssigned(writing, universe, assigned);
  return [];
}

/** Assigns the next free slot of a chunk, and returns the position. */
function assignSlot({ chunk, following }: Room): number {
  const { number, used, slots } = chunk;
  // The order of slots is the order of keys as long as each new key is the highest of the chunk.
  if (slots !== null || following !== undefined) chunk.slots = insert(orderOf(slots, used), used, following);
  chunk.used++;
  return positionAt(number, used);
}

/** Writes the positions of keys, and the chunks with the new slots. */
async function writeAssigned(
  { connection, generation, revision, positions }: Writing,
  universe: Universe,
  assigned: ReadonlyMap<string, Room>,
): Promise<void> {
  const chunks = [...new Set([...assigned.values()].map(({ chunk }) => chunk))];
  const at = [generation, universe];
  await writeEach(
    connection,
    NEXT,
    [...at, revision],
    chunks.map(({ number, since, first }) => [number, since, onlySlot(first)]),
  );
  await writeEach(
    connection,
    USE,
    at,
    chunks.map(({ number, used, slots }) => [number, used, slots]),
  );
  await writeEach(
    connection,
    GIVE,
    at,
    [...assigned.keys()].map((key): Column[] => [key, positions[universe].get(key) ?? null]),
  );
}

function whatIsBefore({ chunk: { slots, used }, following }: Room): Newcomer["behind"] {
  if (following === undefined) return "all";
  const order = orderOf(slots, used);
  const at = order.indexOf(following);
  const before = order.subarray(Math.max(0, at - SEQUENCE), at);
  const isSequence =
    before.length === SEQUENCE && before.every((slot, index) => slot === used - SEQUENCE + index);
  return isSequence ? "latest" : "any";
}

function onlySlot(slot: number): Uint8Array {
  const words = noSlots();
  addSlot(words, slot);
  return containerOf(words);
}

function insert(order: Uint16Array, slot: number, before: number | undefined): Uint8Array {
  const at = before === undefined ? order.length : order.indexOf(before);
  const longer = new Uint16Array(order.length + 1);
  longer.set(order.subarray(0, at));
  longer[at] = slot;
  longer.set(order.subarray(at), at + 1);
  return new Uint8Array(longer.buffer);
}
