import { type Engine, type Staging, statement } from "../../engine/engine.ts";
import { GENERATION_TABLES } from "../../schema/migrations.ts";
import { dropEnded } from "../../revisions/past/ended.ts";
import { raiseAll } from "../../revisions/past/history.ts";

/** The time between making rows unreadable and deleting them, in milliseconds: longer than any page takes. */
export const GRACE = 60_000;

/** Organizations with revisions that became unreadable before a given time, with their earliest readable revision. */
const PENDING = statement<[organization: string, earliest: number, generation: number]>(
  () => `
    SELECT o.id, o.earliest, r.generation FROM organization o JOIN revision r ON r.revision = o.earliest
      WHERE o.pruned_at < $1 AND ($2 = '' OR o.id = $2)`,
);
const FORGET = statement<never>(() => "DELETE FROM revision WHERE organization = $1 AND revision < $2");
const DONE = statement<never>(
  () => "UPDATE organization SET pruned_at = NULL WHERE id = $1 AND earliest = $2",
);

/** Generations without a revision: pruned ones, and those of failed imports. */
const DEAD = statement<[generation: number]>(
  () => `
    SELECT g.generation FROM generation g
      WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.generation = g.generation AND r.organization = g.organization)`,
);
const DROP = statement<never>(() => "DELETE FROM generation WHERE generation = $1");

/** Makes revisions beyond the history unreadable, and deletes those that became unreadable long enough ago. */
export async function prune(engine: Engine, staging: Staging): Promise<void> {
  await raiseAll(engine, staging);
  await sweep(staging);
}

/**
 * Deletes unreadable rows, and regularly lets other writers in. Call it while nobody else imports. If it is
 * interrupted, the next call continues. `grace`: see {@link GRACE}.
 */
export async function sweep(staging: Staging, grace = GRACE): Promise<void> {
  await sweepEnded(staging, "", grace);
  for (const [generation] of await staging.read(DEAD)) {
    for (const table of GENERATION_TABLES) await staging.erase(table, generation);
    await staging.write(DROP, generation);
  }
}

/**
 * The cheap part of {@link sweep}: ended rows in generations that are still readable, of one organization or, if `of`
 * is empty, of all.
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
