/** Deletes rows that no readable revision contains, from a generation that is still readable. */
import { SLOTS } from "../../../sets/position.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { type Staging, statement } from "../../engine/engine.ts";
import { ENDING_TABLES } from "../../schema/migrations.ts";

/** SQL: the end of the range of keys that begins at `lowest`, null for the last range; `when` selects the chunks. */
const upperOf = (lowest: string, when: string) => `
  (SELECT min(n.lowest) FROM chunk n
     WHERE n.generation = $1 AND n.universe = c.universe AND n.lowest > ${lowest} AND ${when})`;

type Ended = [
  universe: number,
  chunk: number,
  lowest: string,
  upper: string | null,
  keptLowest: string | null,
  keptUpper: string | null,
];
/** SQL: whether the chunk `n` held just before the row `c` of another one. The first rows of a generation are of 0. */
const BEFORE = "(n.since < c.since OR n.since = 0) AND n.until >= c.since AND n.until > 0";
/**
 * Chunks that lost keys, with a range that has all keys that ever had positions there, and the range of the keys that
 * stayed (see `split.ts`). A range goes from `lowest` up to but not including `upper`; the last one has no `upper`.
 */
const ENDED = statement<Ended>(
  () => `
    SELECT c.universe, c.chunk, c.lowest, ${upperOf("c.lowest", BEFORE)},
        k.lowest, ${upperOf("k.lowest", "n.since <= c.until AND n.until > c.until")}
      FROM chunk c LEFT JOIN chunk k
        ON k.generation = $1 AND k.universe = c.universe AND k.chunk = c.chunk AND k.since = c.until AND k.until > c.until
      WHERE c.generation = $1 AND c.until <= $2 AND c.until < ${FOREVER}`,
);

const PLACES = `DELETE FROM place WHERE generation = $1 AND universe = $2 AND position >= $3 AND position < $4 AND key >= $5`;
const DROP_LAST_PLACES = statement<never>(() => PLACES);
const DROP_PLACES = statement<never>(() => `${PLACES} AND key < $6`);

/**
 * Deletes the rows of a generation that ended at `earliest`, the earliest readable revision, or before, in small
 * steps. The positions of keys that a chunk lost are deleted too, because they are never reused.
 */
export async function dropEnded(staging: Staging, generation: number, earliest: number): Promise<void> {
  for (const ended of await staging.read(ENDED, generation, earliest)) {
    const [universe, chunk] = ended;
    for (const [from, to] of lostBy(ended)) {
      const stretch = [generation, universe, chunk * SLOTS, (chunk + 1) * SLOTS, from] as const;
      if (to === null) await staging.write(DROP_LAST_PLACES, ...stretch);
      else await staging.write(DROP_PLACES, ...stretch, to);
    }
  }
  for (const table of ENDING_TABLES) await staging.erase(table, generation, { until: earliest });
  await staging.erase("record_change", generation, { revision: earliest });
}

/** The ranges of keys that a chunk lost. */
function lostBy([, , lowest, upper, keptLowest, keptUpper]: Ended): [from: string, to: string | null][] {
  if (keptLowest === null) return [[lowest, upper]];
  const lost: [string, string | null][] = [];
  if (keptLowest !== lowest) lost.push([lowest, keptLowest]);
  if (keptUpper !== null && keptUpper !== upper) lost.push([keptUpper, upper]);
  return lost;
}
