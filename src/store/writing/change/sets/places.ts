import { CommandError } from "../../../../domain/error.ts";
import { CHUNKS, chunkOf, positionAt, SLOTS } from "../../../../sets/position.ts";
import { containerOf } from "../../../../sets/container.ts";
import { addSlot, noSlots } from "../../../../sets/words.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { statement } from "../../../engine/engine.ts";
import { NEXT_SLOT, type Universe } from "../../../schema/set-names.ts";
import { orderOf } from "../../../schema/slots.ts";
import type { Writing } from "../writing.ts";

/** A chunk that is not closed. */
export interface LivingChunk {
  readonly number: number;
  /** The revision that opened it. */
  readonly since: number;
  readonly lowest: string;
  /** The number of slots assigned so far. */
  readonly used: number;
  /** See {@link orderOf}. */
  readonly slots: Uint8Array | null;
}

const AT = statement<[position: number]>(
  () => `
    SELECT p.position FROM place p CROSS JOIN chunk c
      WHERE p.generation = $1 AND p.universe = $2 AND p.key = $3
        AND c.generation = $1 AND c.universe = $2 AND c.chunk = p.position / ${SLOTS} AND c.until = ${FOREVER}`,
);
const CHUNK_OF = statement<
  [chunk: number, since: number, lowest: string, used: number, slots: Uint8Array | null]
>(
  () => `
    SELECT c.chunk, c.since, c.lowest, c.used, c.slots FROM chunk c
      WHERE c.generation = $1 AND c.universe = $2 AND c.lowest <= $3 AND c.until = ${FOREVER}
      ORDER BY c.lowest DESC LIMIT 1`,
);
const ABOVE = statement<[lowest: string]>(
  () => `
    SELECT c.lowest FROM chunk c
      WHERE c.generation = $1 AND c.universe = $2 AND c.lowest > $3 AND c.until = ${FOREVER}
      ORDER BY c.lowest LIMIT 1`,
);
const LAST = statement<[chunk: number | null]>(
  () => "SELECT max(chunk) FROM chunk WHERE generation = $1 AND universe = $2",
);
const OPEN = statement<never>(
  () => `
    INSERT INTO chunk (generation, universe, chunk, until, since, lowest, slots, used)
      VALUES ($1, $2, $3, ${FOREVER}, $4, $5, NULL, $6)`,
);
const FOLLOWING = statement<[position: number]>(
  () => `
    SELECT p.position FROM place p
      WHERE p.generation = $1 AND p.universe = $2 AND p.key > $3 AND p.key < $4
        AND p.position >= $5 AND p.position < $6
      ORDER BY p.key LIMIT 1`,
);
const GIVE = statement<never>(
  () => "INSERT INTO place (generation, universe, key, position) VALUES ($1, $2, $3, $4)",
);
const USE = statement<never>(
  () => `
    UPDATE chunk SET used = $4, slots = $5
      WHERE generation = $1 AND universe = $2 AND chunk = $3 AND until = ${FOREVER}`,
);
/** Written once per revision: slots that the same revision assigns later are new too. */
const NEXT = statement<never>(
  () => `
    INSERT INTO container (generation, universe, chunk, name, until, since, bits)
      SELECT $1, $2, $3, '${NEXT_SLOT}', $4, coalesce(max(c.until), $5), $6 FROM container c
        WHERE c.generation = $1 AND c.universe = $2 AND c.chunk = $3 AND c.name = '${NEXT_SLOT}'
        HAVING coalesce(max(c.until), $5) < $4`,
);

/** Sorts after every key: ids have up to 255 characters, and sort keys of spaces 16 more. */
const BEHIND_ALL = "\u{10FFFF}".repeat(300);

/**
 * A key without room in a full chunk, and whether it comes after all keys, after a sequence of keys, or between
 * others.
 */
export interface Newcomer {
  readonly key: string;
  readonly behind: "all" | "latest" | "any";
}

/** Makes room in a full chunk for a new key. */
export type Split = (chunk: LivingChunk, newcomer: Newcomer) => Promise<void>;

/** The number of keys, each added directly after the one before, that make a sequence. */
const SEQUENCE = 32;

/** The current or former position of a key in an open chunk; `undefined` if it never had one. */
export async function placeOf(
  { connection, generation }: Writing,
  universe: Universe,
  key: string,
): Promise<number | undefined> {
  const [row] = await connection.read(AT, generation, universe, key);
  return row?.[0];
}

/**
 * Assigns positions to keys; a returning key gets its earlier position. `split` makes room in a full chunk and moves
 * the rows of its keys, so `settle` must write a key's row as soon as the key has a position.
 */
export async function takePlaces(
  writing: Writing,
  universe: Universe,
  keys: readonly string[],
  split: Split,
  settle: (key: string, position: number) => Promise<void>,
): Promise<void> {
  for (const key of keys) await settle(key, await takePlace(writing, universe, key, split));
}

async function takePlace(writing: Writing, universe: Universe, key: string, split: Split): Promise<number> {
  const known = await placeOf(writing, universe, key);
  if (known !== undefined) return known;
  const chunk = await chunkFor(writing, universe, key);
  const following = await slotBehind(writing, universe, chunk, key);
  if (chunk.used === SLOTS) {
    await split(chunk, { key, behind: whatIsBefore(chunk, following) });
    return takePlace(writing, universe, key, split);
  }
  const { connection, generation, revision } = writing;
  const { number, since, used, slots } = chunk;
  await connection.write(NEXT, generation, universe, number, revision, since, onlySlot(used));
  // The slots remain in key order as long as each new key is the highest.
  const order =
    slots === null && following === undefined ? null : insert(orderOf(slots, used), used, following);
  const position = positionAt(number, used);
  await connection.write(USE, generation, universe, number, used + 1, order);
  await connection.write(GIVE, generation, universe, key, position);
  return position;
}

/** Opens chunks with `lowest` and `used`, numbered after all existing chunks. Returns their numbers. */
export async function openChunks(
  { connection, generation, revision }: Writing,
  universe: Universe,
  chunks: readonly (readonly [lowest: string, used: number])[],
): Promise<number[]> {
  const [row] = await connection.read(LAST, generation, universe);
  const first = (row?.[0] ?? -1) + 1;
  if (first + chunks.length > CHUNKS) {
    throw new CommandError("The organization has changed too often for one more chunk; import it whole.");
  }
  for (const [index, [lowest, used]] of chunks.entries()) {
    await connection.write(OPEN, generation, universe, first + index, revision, lowest, used);
  }
  return chunks.map((_, index) => first + index);
}

async function chunkFor(writing: Writing, universe: Universe, key: string): Promise<LivingChunk> {
  const [row] = await writing.connection.read(CHUNK_OF, writing.generation, universe, key);
  if (row !== undefined) {
    const [number, since, lowest, used, slots] = row;
    return { number, since, lowest, used, slots };
  }
  const [number = 0] = await openChunks(writing, universe, [["", 0]]);
  return { number, since: writing.revision, lowest: "", used: 0, slots: null };
}

/** The slot of the next higher key of a chunk; `undefined` if there is none. */
async function slotBehind(
  { connection, generation }: Writing,
  universe: Universe,
  { number, lowest }: LivingChunk,
  key: string,
): Promise<number | undefined> {
  const [above] = await connection.read(ABOVE, generation, universe, lowest);
  const from = positionAt(number, 0);
  const [row] = await connection.read(
    FOLLOWING,
    generation,
    universe,
    key,
    above?.[0] ?? BEHIND_ALL,
    from,
    from + SLOTS,
  );
  return row === undefined ? undefined : row[0] - positionAt(chunkOf(row[0]), 0);
}

function whatIsBefore({ slots, used }: LivingChunk, following: number | undefined): Newcomer["behind"] {
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
