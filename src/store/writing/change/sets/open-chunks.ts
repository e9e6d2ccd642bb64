import { CommandError } from "../../../../domain/error.ts";
import { CHUNKS } from "../../../../sets/position.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { statement } from "../../../engine/engine.ts";
import type { Universe } from "../../../schema/set-names.ts";
import type { Writing } from "../writing.ts";

/** A chunk that is not closed. */
export interface LivingChunk {
  readonly number: number;
  /** The revision that opened it, or that last moved some of its keys to another chunk. */
  readonly since: number;
  readonly lowest: string;
  /** The lowest key of the next chunk; `undefined` for the last chunk. */
  readonly above: string | undefined;
  /** The number of slots that were assigned before this change. `used` is the number of slots assigned now. */
  readonly first: number;
  used: number;
  /** The slots sorted by key, encoded; null if the order of slots is the order of keys. */
  slots: Uint8Array | null;
}

const LAST = statement<[chunk: number | null]>(
  () => "SELECT max(chunk) FROM chunk WHERE generation = $1 AND universe = $2",
);
const OPEN = statement<never>(
  () => `
    INSERT INTO chunk (generation, universe, chunk, until, since, lowest, slots, used)
      VALUES ($1, $2, $3, ${FOREVER}, $4, $5, NULL, $6)`,
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
    INSERT INTO chunk (generation, universe, chunk, until, since, lowest, slots, used)
      SELECT c.generation, c.universe, c.chunk, ${FOREVER}, c.until, CAST($5 AS text), c.slots, c.used FROM chunk c
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

/**
 * Opens a chunk again that this revision closed, because some keys stay. `lowest` is their lowest key. The order of its
 * slots still contains the moved keys, so that an index in it remains valid.
 */
export async function reopenChunk(
  { connection, generation, revision }: Writing,
  universe: Universe,
  chunk: number,
  lowest: string,
): Promise<void> {
  await connection.write(REOPEN, generation, universe, chunk, revision, lowest);
}
