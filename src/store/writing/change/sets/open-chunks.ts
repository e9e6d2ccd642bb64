import { CommandError } from "../../../../domain/error.ts";
import { CHUNKS } from "../../../../sets/position.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { statement } from "../../../engine/engine.ts";
import type { Universe } from "../../../schema/set-names.ts";
import type { Writing } from "../writing.ts";

/** A chunk that is not closed. */
export interface LivingChunk {
  readonly number: number;
  /** The revision that opened the chunk. */
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
