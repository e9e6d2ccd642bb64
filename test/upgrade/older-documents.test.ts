/**
 * A program of schema 5 stored documents with the fields in the order of their files, and with defaults that the files
 * wrote out. `schema-5.sql` is a database that such a program made: of its six revisions, 2 and 6 changed only the
 * order of fields and defaults, 3 and 4 also something else. A person who left in revision 5 was forgotten.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import { SCHEMA } from "../../src/store/schema/migrations.ts";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();
const file = join(folder, "rolebook.db");
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${file}` };
/** The tables with documents. */
const REWRITTEN = ["content", "member", "record_change", "space", "team"];
let before: ReadonlyMap<string, object>;
let migrated: { stdout: string; stderr: string };

beforeAll(async () => {
  const database = new DatabaseSync(file);
  database.exec(readFileSync(join(import.meta.dirname, "schema-5.sql"), "utf8"));
  database.close();
  before = tables();
  migrated = await rolebook(["verify", "--organization", "o"], environment);
});

test("a migration brings documents to one form; tokens, results of rules and revisions stay, and all is derived rightly", () => {
  expect(migrated.stderr).toContain(`Migrated ${file} from schema 5 to ${SCHEMA}.\n`);
  expect(migrated).toMatchObject({ status: 0 });
  const after = tables();
  for (const [table, rows] of before) {
    // Other steps add columns.
    if (!REWRITTEN.includes(table)) expect(after.get(table), table).toMatchObject(rows);
  }
  expect(read("SELECT DISTINCT doc FROM member WHERE id = 'ana' AND doc <> ''")).toEqual([
    { doc: '{"object":"user","id":"ana","displayName":"ANA","email":"ana@o.example"}' },
  ]);
});

test("a logged change of the form alone is dropped; every other change stays", () => {
  expect(
    read("SELECT revision, kind, was IS becomes AS equal FROM record_change ORDER BY 1, number"),
  ).toEqual([
    { revision: 3, kind: 6, equal: 0 },
    { revision: 4, kind: 1, equal: 1 },
    { revision: 4, kind: 6, equal: 0 },
    { revision: 5, kind: 1, equal: 0 },
    { revision: 5, kind: 2, equal: 0 },
  ]);
});

test("the past says the same in the new form, and the files of then change nothing", async () => {
  const exported = async (at: number) =>
    (await rolebook(["export", "--organization", "o", "--at", `${at}`], environment)).stdout;
  expect(await exported(2)).toBe(await exported(1));
  expect(await exported(3)).toBe((await exported(2)).replace('"urls"', '"comments":7,"urls"'));
  expect(await exported(6)).toBe(await exported(5));
  const range = ["--from", "1", "--to", "2", "--records", "--format", "ndjson"];
  const { stdout } = await rolebook(["diff", "--organization", "o", ...range], environment);
  expect(stdout).toBe('{"object":"changes","organization":"o"}\n{"object":"end","records":1}\n');
  const lines = (await exported(6)).trimEnd().split("\n").slice(0, -1).map(mirrored);
  const header = '{"object":"changes","organization":"o"}';
  for (const [command, texts] of [
    ["import", lines],
    ["apply", [header, ...lines]],
  ] as const) {
    const path = join(folder, `${command}.ndjson`);
    writeFileSync(path, texts.map((line) => `${line}\n`).join(""));
    expect(await rolebook([command, path], environment)).toMatchObject({ status: 0 });
    expect(read("SELECT max(revision) AS last FROM revision"), command).toEqual([{ last: 6 }]);
  }
});

/** A line with its fields in the opposite order. */
function mirrored(line: string): string {
  const fields: object = JSON.parse(line);
  return JSON.stringify(Object.fromEntries(Object.entries(fields).toReversed()));
}

/** Of table `chunk`, a step drops the slots in the order of their keys. */
const LEFT: Readonly<Record<string, string>> = {
  chunk: "generation, universe, chunk, until, since, lowest, used",
};

/** The rows of all tables but that of migrations. */
function tables(): Map<string, object> {
  const names = read(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migration' ORDER BY name",
  );
  return new Map(
    names.map(({ name }) => [String(name), read(`SELECT ${LEFT[String(name)] ?? "*"} FROM ${name}`)]),
  );
}

function read(sql: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}
