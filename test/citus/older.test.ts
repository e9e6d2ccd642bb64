/**
 * A database that an older program filled is migrated on the cluster, where its tables were distributed: each table then
 * holds what a SQLite file with the same rows holds.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { PostgresConnection } from "../../src/store/engine/postgres/connection.ts";
import { runStep, SCHEMA } from "../../src/store/schema/migrations.ts";
import { FIRST, LINE_HASH, SPACE_LEVELS } from "../../src/store/schema/steps.ts";
import { rolebook } from "../command.ts";
import { COORDINATOR, DISTRIBUTE } from "./cluster.ts";

const SCHEMA_NAME = `older_${process.pid}`;
const URL = `${COORDINATOR}?options=${encodeURIComponent(`-c search_path=${SCHEMA_NAME}`)}`;
/** The steps up to schema 5, of which `schema-5.sql` has the rows. */
const STEPS = [FIRST, LINE_HASH, SPACE_LEVELS];

const folder = mkdtempSync(join(tmpdir(), "rolebook-older-"));
const path = join(folder, "rolebook.db");
const client = new Client({ connectionString: URL });
afterAll(async () => {
  await client.query(`DROP SCHEMA ${SCHEMA_NAME} CASCADE`);
  await client.end();
  rmSync(folder, { recursive: true, force: true });
});

test("every step migrates filled tables on several nodes as it does in one file", async () => {
  inFile((file) => file.exec(readFileSync(join(import.meta.dirname, "../upgrade/schema-5.sql"), "utf8")));
  await client.connect();
  await client.query(`CREATE SCHEMA ${SCHEMA_NAME}; SET search_path = ${SCHEMA_NAME}`);
  const connection = new PostgresConnection(client);
  await connection.script("CREATE TABLE migration (number integer PRIMARY KEY, applied_at text NOT NULL)");
  for (const step of STEPS) {
    await runStep(connection, step(connection.dialect));
    // The tables of the first step are distributed before the second one runs, and so on.
    for (const [statement, table = ""] of DISTRIBUTE) {
      const shown = await client.query(
        "SELECT to_regclass($1) IS NOT NULL AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1)) AS plain",
        [table],
      );
      if (shown.rows[0]?.plain === true) await client.query(statement);
    }
  }
  for (const [table, rows] of inFile(tablesOf)) {
    await client.query(`DELETE FROM ${table}`);
    for (const row of rows) {
      const names = Object.keys(row);
      const places = names.map((_, index) => `$${index + 1}`);
      await client.query(
        `INSERT INTO ${table} (${names.join()}) VALUES (${places.join()})`,
        Object.values(row).map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
      );
    }
  }

  const migrated = await rolebook(["database", "migrate", "--database", URL]);
  expect(migrated).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`from schema 5 to ${SCHEMA}`),
  });
  const verified = await rolebook(["verify", "--organization", "o", "--database", `sqlite:${path}`]);
  expect(verified).toMatchObject({ status: 0 });
  expect(await rolebook(["verify", "--organization", "o", "--database", URL])).toMatchObject({ status: 0 });

  const expected = inFile(tablesOf);
  expect(expected.size).toBeGreaterThan(15);
  for (const [table, rows] of expected) {
    if (table === "migration") continue;
    const { rows: found } = await client.query(`SELECT * FROM ${table}`);
    expect(found.map(textOf).toSorted(), table).toEqual(rows.map(textOf).toSorted());
  }
});

type Row = Record<string, SQLOutputValue>;

function inFile<Result>(work: (file: DatabaseSync) => Result): Result {
  const file = new DatabaseSync(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

function tablesOf(file: DatabaseSync): Map<string, Row[]> {
  const names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Map(names.map(({ name }) => [String(name), file.prepare(`SELECT * FROM ${name}`).all()]));
}

/** A row as text: the same for a number that PostgreSQL returns as text, and for columns in another order. */
function textOf(row: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(row).map(([name, value]) => {
    const bytes = value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
    return `${name}: ${bytes}`;
  });
  return fields.toSorted().join("\n");
}
