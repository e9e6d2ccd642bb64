import { SPACE_LEVELS } from "../../../src/store/schema/migrations/space-levels.ts";
import type { World } from "../../world.ts";

/**
 * Recreates the tables of schema 4, in which rows of spaces did not list levels and teams, and did not end when these
 * changed.
 */
const BACK = `
  CREATE TABLE space_before AS
    WITH marked AS (
        SELECT space.*, CASE WHEN lag(until) OVER w = since THEN 0 ELSE 1 END AS begins FROM space
          WINDOW w AS (PARTITION BY generation, position, key, doc, omitted ORDER BY since)),
      numbered AS (
        SELECT marked.*, sum(begins) OVER (PARTITION BY generation, position, key, doc, omitted ORDER BY since) AS part
          FROM marked)
    SELECT generation, position, max(until) AS until, min(since) AS since, key, doc, omitted
      FROM numbered GROUP BY generation, position, key, doc, omitted, part;
  DELETE FROM space;
  ALTER TABLE space DROP COLUMN parent;
  ALTER TABLE space DROP COLUMN level;
  ALTER TABLE space DROP COLUMN teams;
  INSERT INTO space (generation, position, until, since, key, doc, omitted)
    SELECT generation, position, until, since, key, doc, omitted FROM space_before;
  DROP TABLE space_before`;

/** Takes the rows of spaces back to schema 4, and migrates them again. */
export async function upgradeAgain({ store }: World): Promise<void> {
  await store.engine.transaction(async (connection) => {
    await connection.script(BACK);
    await connection.script(SPACE_LEVELS(connection.dialect));
  });
  store.cache.clear();
}
