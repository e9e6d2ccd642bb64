/** Deletes what nobody can read any more: rows that ended before the earliest readable revision, and dead generations. */
import { type Engine, type Staging, statement } from "../engine/engine.ts";
import { raiseAll } from "../revisions/history.ts";
import { ENDING_TABLES, GENERATION_TABLES } from "../schema/tables.ts";
import { undoUnpublished } from "./undo.ts";

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
 * Undoes what was never published, makes revisions outside the history unreadable, and deletes the rows that became
 * unreadable {@link GRACE} ms ago or earlier. Call it with the import lock, before anything is written.
 */
export async function prune(engine: Engine, staging: Staging): Promise<void> {
  await undoUnpublished(staging);
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
    for (const table of ENDING_TABLES) await staging.erase(table, generation, { until: earliest });
    await staging.erase("record_change", generation, { revision: earliest });
    await staging.erase("revision_row", generation, { revision: earliest - 1 });
    await staging.transaction(async (connection) => {
      await connection.write(FORGET, organization, earliest);
      await connection.write(DONE, organization, earliest);
    });
  }
}
