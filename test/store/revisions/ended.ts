import { statement } from "../../../src/store/engine/engine.ts";
import { ENDING_TABLES } from "../../../src/store/schema/migrations.ts";
import { SLOTS } from "../../../src/sets/position.ts";
import type { World } from "../../world.ts";

const EARLIEST = statement<[generation: number, earliest: number]>(
  () => "SELECT r.generation, o.earliest FROM organization o JOIN revision r ON r.revision = o.earliest",
);
/**
 * Positions in a chunk that no readable revision has, or whose keys moved away before the earliest one. A chunk that was
 * closed in the revision that opened it may have any.
 */
const PLACES = statement<[places: number]>(
  () => `
    SELECT count(*) FROM place p WHERE p.generation = $1 AND NOT EXISTS (
      SELECT 1 FROM chunk c
        WHERE c.generation = $1 AND c.universe = p.universe AND c.chunk = CAST(p.position / ${SLOTS} AS bigint)
          AND c.lowest <= p.key AND (c.since = c.until OR NOT EXISTS (
            SELECT 1 FROM chunk n
              WHERE n.generation = $1 AND n.universe = c.universe AND n.lowest > c.lowest AND n.lowest <= p.key
                AND n.since <= c.since AND n.until > c.since)))`,
);
const LOGGED = statement<[records: number]>(
  () => "SELECT count(*) FROM record_change WHERE generation = $1 AND revision <= $2",
);

/** The tables that have rows of no readable revision; empty after pruning. */
export async function endedRows({ store: { engine } }: World): Promise<string[]> {
  const found: string[] = [];
  for (const [generation, earliest] of await engine.read(EARLIEST)) {
    for (const table of ENDING_TABLES) {
      const [row] = await engine.read(
        statement<[rows: number]>(
          () => `SELECT count(*) FROM ${table} WHERE generation = $1 AND until <= $2`,
        ),
        generation,
        earliest,
      );
      if (row?.[0] !== 0) found.push(table);
    }
    const [places] = await engine.read(PLACES, generation);
    if (places?.[0] !== 0) found.push("place");
    const [logged] = await engine.read(LOGGED, generation, earliest);
    if (logged?.[0] !== 0) found.push("record_change");
  }
  return found;
}
