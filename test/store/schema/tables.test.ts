import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ENDING_TABLES, GENERATION_TABLES } from "../../../src/store/schema/tables.ts";
import { sqlitePlace, World } from "../../world.ts";

/** The tables that stay on one node. They have few rows, and are read by every request or only by imports. */
const SMALL = [
  "organization",
  "generation",
  "revision",
  "token",
  "sign_in",
  "rule_result",
  "counter",
  "migration",
];

test("every table but the small ones has the generation first in its primary key and indexes", async () => {
  const world = await World.open(sqlitePlace);
  const database = new DatabaseSync(world.store.engine.name.slice("sqlite:".length), { readOnly: true });
  try {
    const tables = names(database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    expect(tables.filter((table) => !SMALL.includes(table))).toEqual([...GENERATION_TABLES].sort());
    for (const table of GENERATION_TABLES) {
      expect(names(database, "SELECT name FROM pragma_table_info(?) WHERE pk = 1", table), table).toEqual([
        "generation",
      ]);
      for (const index of names(database, "SELECT name FROM pragma_index_list(?)", table)) {
        expect(
          names(database, "SELECT name FROM pragma_index_info(?) WHERE seqno = 0", index),
          index,
        ).toEqual(["generation"]);
      }
    }
    const indexes = names(
      database,
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE '%\\_ended' ESCAPE '\\'",
    );
    expect(indexes.sort()).toEqual(ENDING_TABLES.map((table) => `${table}_ended`).sort());
  } finally {
    database.close();
    await world.close();
  }
});

function names(database: DatabaseSync, sql: string, ...parameters: string[]): string[] {
  return database
    .prepare(sql)
    .all(...parameters)
    .map(({ name }) => String(name));
}
