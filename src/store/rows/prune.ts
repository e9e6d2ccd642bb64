/** Deletes rows that nobody can read any more: ended ones, and those of generations without a revision. */
import { type Engine, type Staging, statement } from "../engine/engine.ts";
import { raiseAll } from "../revisions/history.ts";
import { GRACE } from "../writing/generation/sweep.ts";
import { undoUnpublished } from "./file/undo.ts";
import { ROW_TABLES } from "./tables.ts";

/** The organizations with revisions that became unreadable before a given time. */
const PENDING = statement<[organization: string, earliest: number, generation: number]>(
  () => `
    SELECT o.id, o.earliest, r.generation FROM organization o JOIN revision r ON r.revision = o.earliest
      WHERE o.pruned_at < $1`,
);
const FORGET = statement<never>(() => "DELETE FROM revision WHERE organization = $1 AND revision < $2");
const DONE = statement<never>(
  () => "UPDATE organization SET pruned_at = NULL WHERE id = $1 AND earliest = $2",
);

/** Generations without a revision: all their revisions were deleted, or their import failed. */
const DEAD = statement<[generation: number]>(
  () => `
    SELECT g.generation FROM generation g
      WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.generation = g.generation AND r.organization = g.organization)`,
);
const DROP = statement<never>(() => "DELETE FROM generation WHERE generation = $1");

/**
 * Undoes what was never published, makes revisions outside the history unreadable, and deletes the rows that became
 * unreadable {@link GRACE} ms ago or earlier. Call it with the import lock, before anything is written. Pauses regularly,
 * so that other processes can write. If it is interrupted, or a node does not answer, the next call goes on.
 */
export async function prune(engine: Engine, staging: Staging): Promise<void> {
  await undoUnpublished(staging);
  await raiseAll(engine, staging);
  const before = new Date(Date.now() - GRACE).toISOString();
  for (const [organization, earliest, generation] of await staging.read(PENDING, before)) {
    if (!(await staging.answers(generation))) continue;
    for (const { name } of ROW_TABLES) await staging.erase(name, generation, { until: earliest });
    await staging.erase("record_change", generation, { revision: earliest });
    await staging.erase("revision_row", generation, { revision: earliest - 1 });
    await staging.transaction(async (connection) => {
      await connection.write(FORGET, organization, earliest);
      await connection.write(DONE, organization, earliest);
    });
  }
  for (const [generation] of await staging.read(DEAD)) {
    if (!(await staging.answers(generation))) continue;
    for (const name of [...ROW_TABLES.map((table) => table.name), "record_change", "revision_row"])
      await staging.erase(name, generation);
    await staging.write(DROP, generation);
  }
}
