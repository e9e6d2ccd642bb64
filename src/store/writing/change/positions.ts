/**
 * Positions: each member and each space has one, which sets contain instead of ids. A position is a slot of a chunk, and a
 * chunk has the keys between its lowest one and that of the next chunk. A new key gets the next free slot of its
 * chunk. A key keeps its position when its row ends, and has it again when it
 * returns. A full chunk is split first: see `split.ts`.
 */
import { CommandError } from "../../../domain/error.ts";
import { compareIds } from "../../../domain/id.ts";
import { containerOf } from "../../../sets/container.ts";
import { CHUNKS, SLOTS, positionAt, slotOf } from "../../../sets/position.ts";
import { addSlot, noSlots } from "../../../sets/words.ts";
import { type SqlValue, statement, writeEach } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { NEXT_SLOT, type Universe } from "../../schema/set-names.ts";
import type { Writing } from "./tables.ts";

/** A chunk that is not closed. */
export interface LivingChunk {
  readonly number: number;
  /** The revision that opened the chunk, or that last moved some of its keys to another one. */
  readonly since: number;
  readonly lowest: string;
  /** The number of slots that were assigned before this change. `used` is the number of slots assigned now. */
  readonly first: number;
  used: number;
}

const LAST = statement<[chunk: number | null]>(
  () => "SELECT max(chunk) FROM chunk WHERE generation = $1 AND universe = $2",
);
const OPEN = statement<never>(
  () => `
    INSERT INTO chunk (generation, universe, chunk, until, since, lowest, used)
      VALUES ($1, $2, $3, ${FOREVER}, $4, $5, $6)`,
);
/**
 * Opens chunks with the given `lowest` and `used`. Returns their numbers, which follow those of all existing chunks.
 * Throws a CommandError if the numbers are exhausted.
 */
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

const CURRENT = `generation = $1 AND universe = $2 AND chunk = $3 AND until = ${FOREVER}`;
/** Of a chunk that this change has reopened, the row of the previous revision has ended already. */
const UNDO = statement<never>(
  () => `
    DELETE FROM chunk WHERE ${CURRENT} AND since = $4 AND EXISTS (
      SELECT 1 FROM chunk e
        WHERE e.generation = $1 AND e.universe = $2 AND e.chunk = $3 AND e.until = $4)`,
);
const CLOSE = statement<never>(() => `UPDATE chunk SET until = $4 WHERE ${CURRENT}`);
const REOPEN = statement<never>(
  () => `
    INSERT INTO chunk (generation, universe, chunk, until, since, lowest, used)
      SELECT c.generation, c.universe, c.chunk, ${FOREVER}, c.until, CAST($5 AS text), c.used FROM chunk c
        WHERE c.generation = $1 AND c.universe = $2 AND c.chunk = $3 AND c.until = $4`,
);

/** Closes a chunk. */
export async function closeChunk(
  { connection, generation, revision }: Writing,
  universe: Universe,
  chunk: number,
): Promise<void> {
  const at = [generation, universe, chunk, revision] as const;
  await connection.write(UNDO, ...at);
  await connection.write(CLOSE, ...at);
}

/** Opens a chunk again that this revision closed, because some keys stay. `lowest` is their lowest key. */
export async function reopenChunk(
  { connection, generation, revision }: Writing,
  universe: Universe,
  chunk: number,
  lowest: string,
): Promise<void> {
  await connection.write(REOPEN, generation, universe, chunk, revision, lowest);
}

/** The lowest key of the chunk of each given key. */
const LOWEST = statement<[key: string, lowest: string | null]>(
  ({ texts }) => `
    SELECT wanted.value, (
        SELECT c.lowest FROM chunk c
          WHERE c.generation = $1 AND c.universe = $2 AND c.lowest <= wanted.value AND c.until = ${FOREVER}
          ORDER BY c.lowest DESC LIMIT 1)
      FROM ${texts("$3", "wanted")}`,
);
const CHUNKS_AT = statement<[lowest: string, chunk: number, since: number, used: number]>(
  ({ texts, lookUp }) => `
    SELECT c.lowest, c.chunk, c.since, c.used
      FROM ${lookUp(
        texts("$3", "wanted"),
        "chunk",
        "c",
        `c.generation = $1 AND c.universe = $2 AND c.lowest = wanted.value AND c.until = ${FOREVER}`,
        "chunk_of_key",
      )}`,
);

/** Finds the chunk of each new key. Opens the first chunk of the universe if there is none. */
async function chunksFor(
  writing: Writing,
  universe: Universe,
  keys: readonly string[],
): Promise<Map<string, LivingChunk>> {
  if (keys.length === 0) return new Map();
  const { connection, generation } = writing;
  const lowest = new Map(await connection.read(LOWEST, generation, universe, keys));
  if (lowest.values().some((each) => each === null)) {
    await openChunks(writing, universe, [["", 0]]);
    return chunksFor(writing, universe, keys);
  }
  const wanted = [...new Set(lowest.values())];
  const rows = await connection.read(CHUNKS_AT, generation, universe, wanted);
  const chunks = new Map(
    rows.map(([low, number, since, used]): [string, LivingChunk] => [
      low,
      { number, since, lowest: low, first: used, used },
    ]),
  );
  return new Map(
    keys.flatMap((key) => {
      const chunk = chunks.get(lowest.get(key) ?? "");
      return chunk === undefined ? [] : [[key, chunk]];
    }),
  );
}

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
    UPDATE chunk SET used = given.b FROM ${given(["number", "number"], 3)}
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
type Split = (chunk: LivingChunk, newcomer: Newcomer) => Promise<void>;

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
  const chunks = await chunksFor(
    writing,
    universe,
    keys.filter((key) => known.get(key) === undefined),
  );
  const assigned = new Map<string, LivingChunk>();
  for (const [index, key] of keys.entries()) {
    const chunk = chunks.get(key);
    if (chunk?.used === SLOTS) {
      await writeAssigned(writing, universe, assigned);
      await split(chunk, await newcomerTo(writing, universe, chunk, key));
      return keys.slice(index);
    }
    if (chunk !== undefined) {
      known.set(key, positionAt(chunk.number, chunk.used++));
      assigned.set(key, chunk);
    }
    const position = known.get(key);
    if (position !== undefined) settle(key, position);
  }
  await writeAssigned(writing, universe, assigned);
  return [];
}

/** Writes the positions of keys, and the chunks with the new slots. */
async function writeAssigned(
  { connection, generation, revision, positions }: Writing,
  universe: Universe,
  assigned: ReadonlyMap<string, LivingChunk>,
): Promise<void> {
  const chunks = [...new Set(assigned.values())];
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
    chunks.map(({ number, used }) => [number, used]),
  );
  await writeEach(
    connection,
    GIVE,
    at,
    [...assigned.keys()].map((key): SqlValue[] => [key, positions[universe].get(key) ?? null]),
  );
}

/** The lowest key of the chunk after the one with the given lowest key. */
const ABOVE = statement<[lowest: string]>(
  () => `
    SELECT c.lowest FROM chunk c
      WHERE c.generation = $1 AND c.universe = $2 AND c.lowest > $3 AND c.until = ${FOREVER}
      ORDER BY c.lowest LIMIT 1`,
);
const HIGHER = statement<[key: string]>(
  () => `
    SELECT p.key FROM place p
      WHERE p.generation = $1 AND p.universe = $2 AND p.position >= $3 AND p.position < $4 AND p.key > $5 AND p.key < $6
      LIMIT 1`,
);
const LOWER = statement<[position: number]>(
  () => `
    SELECT p.position FROM place p
      WHERE p.generation = $1 AND p.universe = $2 AND p.position >= $3 AND p.position < $4 AND p.key < $5 AND p.key >= $6
      ORDER BY p.key DESC LIMIT ${SEQUENCE}`,
);

/** Sorts after every key. Ids have up to 255 characters, and sort keys of spaces have 16 more. */
const BEHIND_ALL = "\u{10FFFF}".repeat(300);

/** How a key lies to those of its full chunk, of which some may have been moved to the next one. */
async function newcomerTo(
  { connection, generation }: Writing,
  universe: Universe,
  { number, lowest }: LivingChunk,
  key: string,
): Promise<Newcomer> {
  const here = [generation, universe, positionAt(number, 0), positionAt(number + 1, 0), key] as const;
  const [[above] = [BEHIND_ALL]] = await connection.read(ABOVE, generation, universe, lowest);
  const [higher] = await connection.read(HIGHER, ...here, above);
  if (higher === undefined) return { key, behind: "all" };
  const before = await connection.read(LOWER, ...here, lowest);
  const isSequence =
    before.length === SEQUENCE && before.every(([position], index) => slotOf(position) === SLOTS - 1 - index);
  return { key, behind: isSequence ? "latest" : "any" };
}

function onlySlot(slot: number): Uint8Array {
  const words = noSlots();
  addSlot(words, slot);
  return containerOf(words);
}
