/** `serve` without a database reports it and ends: an empty database would answer that nobody has access. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();

test.each([
  ["alone", []],
  ["with workers", ["--workers", "2"]],
])("serve %s exits with 2 and creates none", async (_, more) => {
  const url = `sqlite:${join(folder, "rolebook.db")}`;
  expect(await rolebook(["serve", "--port", "0", "--database", url, ...more])).toEqual({
    status: 2,
    stdout: "",
    stderr:
      `There is no database ${url}. Create it with rolebook import FILE, ` +
      "or name another one with --database or ROLEBOOK_DATABASE_URL.\n",
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("import creates it, then it is served", async () => {
  const file = join(folder, "made.db");
  const settings = { ROLEBOOK_DATABASE_URL: `sqlite:${file}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], settings)).toMatchObject({ status: 0 });
  expect(existsSync(file)).toBe(true);
  const { status, stderr } = await rolebook(["serve", "--host", "256.0.0.1"], settings);
  expect([status, stderr]).toEqual([1, expect.stringContaining("cannot be listened on")]);
});
