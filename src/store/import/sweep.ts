import { type Staging, statement } from "../engine.ts";
import { GENERATION_TABLES } from "../migrations.ts";

/** How long rows stay after the last reader could begin on them: longer than any page takes. Milliseconds. */
const GRACE = 60_000;

/** Revisions that were taken from those that can be read before a time. */
const FORGET = statement<never>(
  () => `
    DELETE FROM revision WHERE EXISTS (
      SELECT 1 FROM organization o
        WHERE o.id = revision.organization AND revision.revision < o.earliest AND o.pruned_at < $1)`,
);

/** Generations without any revision: pruned ones, and those that a dead import left behind. */
const DEAD = statement<[generation: number]>(
  () => `
    SELECT g.generation FROM generation g
      WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.generation = g.generation AND r.organization = g.organization)`,
);
const DROP = statement<never>(() => "DELETE FROM generation WHERE generation = $1");

/**
 * Deletes what nobody can read any more, leaving room for other writers. To be called while nobody else imports.
 * `grace`: see {@link GRACE}.
 */
export async function sweep(staging: Staging, grace = GRACE): Promise<void> {
  await staging.transaction((connection) =>
    connection.write(FORGET, new Date(Date.now() - grace).toISOString()),
  );
  for (const [generation] of await staging.read(DEAD)) {
    for (const table of GENERATION_TABLES) await staging.erase(table, generation);
    await staging.write(DROP, generation);
  }
}
