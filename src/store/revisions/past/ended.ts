/** Deletes rows that no readable revision contains, from a generation that is still readable. */
import { SLOTS } from "../../../sets/position.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { type Staging, statement } from "../../engine/engine.ts";
import { ENDING_TABLES } from "../../schema/migrations.ts";

/**
 * Reads closed chunks with their range of keys, from `lowest` up to but not including `upper`. The last chunk has no
 * `upper`.
 */
const CLOSED = statement<[universe: number, chunk: number, lowest: string, upper: string | null]>(
  () => `
    SELECT c.universe, c.chunk, c.lowest, (
        SELECT min(n.lowest) FROM chunk n
          WHERE n.generation = $1 AND n.universe = c.universe AND n.lowest > c.lowest
            AND n.since < c.until AND n.until >= c.until)
      FROM chunk c
      WHERE c.generation = $1 AND c.until <= $2 AND c.until < ${FOREVER} AND NOT EXISTS (
        SELECT 1 FROM chunk l
          WHERE l.generation = $1 AND l.universe = c.universe AND l.chunk = c.chunk AND l.until > c.until)`,
);

const PLACES = `DELETE FROM place WHERE generation = $1 AND universe = $2 AND position >= $3 AND position < $4 AND key >= $5`;
const DROP_LAST_PLACES = statement<never>(() => PLACES);
const DROP_PLACES = statement<never>(() => `${PLACES} AND key < $6`);

/**
 * Deletes the rows of a generation that ended at `earliest`, the earliest readable revision, or before, in small steps.
 * The positions in a closed chunk are deleted with the chunk, because they are never reused.
 */
export async function dropEnded(staging: Staging, generation: number, earliest: number): Promise<void> {
  for (const [universe, chunk, lowest, upper] of await staging.read(CLOSED, generation, earliest)) {
    const stretch = [generation, universe, chunk * SLOTS, (chunk + 1) * SLOTS, lowest] as const;
    if (upper === null) await staging.write(DROP_LAST_PLACES, ...stretch);
    else await staging.write(DROP_PLACES, ...stretch, upper);
  }
  for (const table of ENDING_TABLES) await staging.erase(table, generation, { until: earliest });
  await staging.erase("record_change", generation, { revision: earliest });
}
