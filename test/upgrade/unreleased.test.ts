/** The schemas of before the first release had numbers that are given again; their databases are not migrated. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

test.each([1, 11])(
  "a database of schema %i of before the first release is refused, and stays as it is",
  async (schema) => {
    const file = join(temporaryFolder(), "rolebook.db");
    const database = new DatabaseSync(file);
    database.exec(`
    CREATE TABLE migration (number integer PRIMARY KEY, applied_at text NOT NULL);
    INSERT INTO migration VALUES (${schema}, '2026-01-01T00:00:00.000Z');
    CREATE TABLE member (generation bigint NOT NULL);`);
    const refused = await rolebook(["status"], { ROLEBOOK_DATABASE_URL: `sqlite:${file}` });
    expect(refused).toMatchObject({
      status: 1,
      stderr:
        `The database ${file} is of before the first release (its schema ${schema}). Export its organizations with the ` +
        "program that wrote it, and import them into a new database.\n",
    });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toHaveLength(2);
    database.close();
  },
);
