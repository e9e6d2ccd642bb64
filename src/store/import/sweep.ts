import { type Staging, statement } from "../engine.ts";
import { GENERATION_TABLES } from "../migrations.ts";

/** How long a revision stays after the last reader could begin on it: longer than any page takes. Milliseconds. */
const GRACE = 60_000;

/**
 * Revisions that nobody can read: those that a dead import left behind, and those that were released long enough
 * ago.
 */
const DEAD = statement<[revision: number]>(
  () => `
    SELECT s.revision FROM revision s
      WHERE (s.imported_at IS NULL OR s.released_at < $1)
        AND NOT EXISTS (SELECT 1 FROM organization o WHERE s.revision IN (o.revision, o.previous))`,
);

const FORGET = statement<never>(() => "DELETE FROM revision WHERE revision = $1");

/** Deletes what nobody can read any more, leaving room for other writers. `grace`: see {@link GRACE}. */
export async function sweep(staging: Staging, grace = GRACE): Promise<void> {
  const before = new Date(Date.now() - grace).toISOString();
  for (const [revision] of await staging.read(DEAD, before)) {
    for (const table of GENERATION_TABLES) await staging.erase(table, revision);
    await staging.write(FORGET, revision);
  }
}
