/** Deletes rows that nobody can read any more: ended ones, and those of generations without a revision. */
import type { Engine, Staging } from "../engine/engine.ts";
import { raiseAll } from "../revisions/history.ts";
import { DEAD, DONE, DROP, FORGET, GRACE, PENDING } from "../writing/generation/sweep.ts";
import { undoUnpublished } from "./file/undo.ts";
import { ROW_TABLES } from "./tables.ts";

/**
 * Undoes what was never published, makes revisions outside the history unreadable, and deletes the rows that became
 * unreadable {@link GRACE} ms ago or earlier. Call it with the import lock, before anything is written. Pauses regularly,
 * so that other processes can write. If it is interrupted, or a node does not answer, the next call goes on.
 */
export async function prune(engine: Engine, staging: Staging): Promise<void> {
  await undoUnpublished(staging);
  await raiseAll(engine, staging);
  const before = new Date(Date.now() - GRACE).toISOString();
  for (const [organization, earliest, generation] of await staging.read(PENDING, before, "")) {
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
