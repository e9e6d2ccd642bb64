import { statement } from "../../../src/store/engine/engine.ts";
import { ENDING_TABLES } from "../../../src/store/schema/tables.ts";
import type { World } from "../../world.ts";

const EARLIEST = statement<[generation: number, earliest: number]>(
  () => "SELECT r.generation, o.earliest FROM organization o JOIN revision r ON r.revision = o.earliest",
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
    const [logged] = await engine.read(LOGGED, generation, earliest);
    if (logged?.[0] !== 0) found.push("record_change");
  }
  return found;
}
