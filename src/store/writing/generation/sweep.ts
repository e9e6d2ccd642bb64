import { type Engine, type Staging, statement } from "../../engine/engine.ts";
import { GENERATION_TABLES } from "../../schema/migrations.ts";
import { dropEnded } from "../../revisions/ended.ts";
import { raiseAll } from "../../revisions/history.ts";

/** How long rows stay after the last reader could begin on them: longer than any page takes. Milliseconds. */
export const GRACE = 60_000;

/** Organizations of which revisions were taken from those that can be read before a time, with the earliest that can. */
const PENDING = statement<[organization: string, earliest: number, generation: number]>(
  () => `
    SELECT o.id, o.earliest, r.generation FROM organization o JOIN revision r ON r.revision = o.earliest
      WHERE o.pruned_at < $1 AND ($2 = '' OR o.id = $2)`,
);
const FORGET = statement<never>(() => "DELETE FROM revision WHERE organization = $1 AND revision < $2");
const DONE = statement<never>(
  () => "UPDATE organization SET pruned_at = NULL WHERE id = $1 AND earliest = $2",
);

/** Generations without any revision: pruned ones, and those that a dead import left behind. */
const DEAD = statement<[generation: number]>(
  () => `
    SELECT g.generation FROM generation g
      WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.generation = g.generation AND r.organization = g.organization)`,
);
const DROP = statement<never>(() => "DELETE FROM generation WHERE generation = $1");

/** Takes what the history does not reach from what can be read, and deletes what was taken so long enough ago. */
export async function prune(engine: Engine, staging: Staging): Promise<void> {
  await raiseAll(engine, staging);
  await sweep(staging);
}

/**
 * Deletes what nobody can read any more, leaving room for other writers. To be called while nobody else imports. However it
 * ends, the next one goes on. `grace`: see {@link GRACE}.
 */
export async function sweep(staging: Staging, grace = GRACE): Promise<void> {
  await sweepEnded(staging, "", grace);
  for (const [generation] of await staging.read(DEAD)) {
    for (const table of GENERATION_TABLES) await staging.erase(table, generation);
    await staging.write(DROP, generation);
  }
}

/**
 * The part of {@link sweep} that costs what changed: rows that ended in a generation that is still read, of one organization
 * or, for the empty text, of all.
 */
export async function sweepEnded(staging: Staging, of: string, grace = GRACE): Promise<void> {
  const before = new Date(Date.now() - grace).toISOString();
  for (const [organization, earliest, generation] of await staging.read(PENDING, before, of)) {
    await dropEnded(staging, generation, earliest);
    await staging.transaction(async (connection) => {
      await connection.write(FORGET, organization, earliest);
      await connection.write(DONE, organization, earliest);
    });
  }
}
