/**
 * An older database is migrated when it is opened, and a newer one is refused. The test builds the next version of the
 * program itself.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { SCHEMA } from "../../src/store/schema/migrations.ts";
import { rolebookProcess } from "../command.ts";
import { makeVersion } from "./version.ts";
import { temporaryFolder } from "../folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folder = temporaryFolder();
const database = join(folder, "rolebook.db");
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${database}` };
let next: string;
let failing: string;

beforeAll(async () => {
  next = makeVersion(
    join(folder, "next"),
    "ALTER TABLE token ADD COLUMN used_at text; UPDATE token SET used_at = created_at",
  );
  failing = makeVersion(
    join(folder, "failing"),
    "ALTER TABLE token ADD COLUMN used_at text; SELECT nothing FROM nowhere",
  );
  expect(await rolebookProcess(["import", join(ROOT, "examples/acme.ndjson")], environment)).toMatchObject({
    status: 0,
  });
  expect(await rolebookProcess(["token", "create", "--organization", "acme"], environment)).toMatchObject({
    status: 0,
  });
});

test("a failed migration changes nothing; a successful one is reported and keeps everything; then the old program refuses", async () => {
  const before = await rolebookProcess(["export", "--organization", "acme"], environment);

  const failed = await rolebookProcess(["status"], environment, failing);
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain('near "nothing"');
  expect(await rolebookProcess(["export", "--organization", "acme"], environment)).toEqual(before);

  const first = await rolebookProcess(["export", "--organization", "acme"], environment, next);
  expect(first).toEqual({
    ...before,
    stderr: `Migrated ${database} from schema ${SCHEMA} to ${SCHEMA + 1}.\n`,
  });
  const second = await rolebookProcess(["token", "list"], environment, next);
  expect(second).toMatchObject({ status: 0, stderr: "" });
  expect(second.stdout.trimEnd().split("\n")).toHaveLength(2);

  const bytes = readFileSync(database);
  const refusal = `The database ${database} has schema ${SCHEMA + 1}; this program knows ${SCHEMA}. Use a newer rolebook.`;
  for (const command of [["status"], ["import", join(ROOT, "examples/acme.ndjson")]]) {
    const refused = await rolebookProcess(command, environment);
    expect(refused).toEqual({ status: 1, stdout: "", stderr: `${refusal}\n` });
  }
  const server = await rolebookProcess(["serve", "--port", "0"], environment);
  expect([server.status, server.stdout, JSON.parse(server.stderr)]).toMatchObject([1, "", { msg: refusal }]);
  expect(readFileSync(database).equals(bytes)).toBe(true);
});
