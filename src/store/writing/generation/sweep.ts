/** Deletes what nobody can read any more: rows that ended before the earliest readable revision, and dead generations. */
import { SLOTS } from "../../../sets/position.ts";
import { type Engine, type Staging, statement } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { ENDING_TABLES, GENERATION_TABLES } from "../../schema/migrations.ts";
import { raiseAll } from "../../revisions/history.ts";

/** How long rows stay after they became unreadable, in milliseconds: longer than any page takes. */
export const GRACE = 60_000;

/** The organizations with revisions that became unreadable before a given time. */
export const PENDING = statement<[organization: string, earliest: number, generation: number]>(
  () => `
    SELECT o.id, o.earliest, r.generation FROM organization o JOIN revision r ON r.revision = o.earliest
      WHERE o.pruned_at < $1 AND ($2 = '' OR o.id = $2)`,
);
export const FORGET = statement<never>(
  () => "DELETE FROM revision WHERE organization = $1 AND revision < $2",
);
export const DONE = statement<never>(
  () => "UPDATE organization SET pruned_at = NULL WHERE id = $1 AND earliest = $2",
);

/** Generations without a revision: all their revisions were deleted, or their import failed. */
export const DEAD = statement<[generation: number]>(
  () => `
    SELECT g.generation FROM generation g
      WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.generation = g.generation AND r.organization = g.organization)`,
);
export const DROP = statement<never>(() => "DELETE FROM generation WHERE generation = $1");

/**
 * Makes revisions outside the history unreadable, and deletes the rows that became unreadable {@link GRACE} ms ago or
 * earlier.
 */
export async function prune(engine: Engine, staging: Staging): Promise<void> {
  await raiseAll(engine, staging);
  await sweep(staging);
}

/**
 * Deletes rows that became unreadable `grace` ms ago or earlier. Pauses regularly, so that other processes can write.
 * Call it with the import lock. If it is interrupted, or a node does not answer, the next call continues. `progress`
 * receives the number of rows of unreadable generations deleted since its last call.
 */
export async function sweep(
  staging: Staging,
  grace = GRACE,
  progress?: (rows: number) => void,
): Promise<void> {
  await sweepEnded(staging, "", grace);
  for (const [generation] of await staging.read(DEAD)) {
    if (!(await staging.answers(generation))) continue;
    for (const table of GENERATION_TABLES) await staging.erase(table, generation, undefined, progress);
    await staging.write(DROP, generation);
  }
}

/**
 * The part of {@link sweep} that takes little time: deletes ended rows of generations that are still readable. `of` is
 * the organization, or empty for all organizations.
 */
export async function sweepEnded(staging: Staging, of: string, grace = GRACE): Promise<void> {
  const before = new Date(Date.now() - grace).toISOString();
  for (const [organization, earliest, generation] of await staging.read(PENDING, before, of)) {
    if (!(await staging.answers(generation))) continue;
    await dropEnded(staging, generation, earliest);
    await staging.transaction(async (connection) => {
      await connection.write(FORGET, organization, earliest);
      await connection.write(DONE, organization, earliest);
    });
  }
}

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
/** SQL: whether `n`, a row of a chunk, held until just before the row `c` began. A generation's first rows begin at 0. */
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
async function dropEnded(staging: Staging, generation: number, earliest: number): Promise<void> {
  for (const ended of await staging.read(ENDED, generation, earliest)) {
    const [universe, chunk] = ended;
    for (const [from, to] of lostBy(ended)) {
      const range = [generation, universe, chunk * SLOTS, (chunk + 1) * SLOTS, from] as const;
      if (to === null) await staging.write(DROP_LAST_PLACES, ...range);
      else await staging.write(DROP_PLACES, ...range, to);
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
