/** Commands that only make sense on a database that is there do not make an empty one. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { rolebook } from "../command.ts";

const folder = mkdtempSync(join(tmpdir(), "rolebook-missing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["status"],
  ["export --organization acme"],
  ["why ana api-reference"],
  ["report"],
  ["backup copy.db"],
  ["organization list"],
  ["organization remove acme"],
  ["token create --organization acme"],
  ["token list"],
  ["token revoke 0123"],
])("%s", async (command) => {
  const url = `sqlite:${join(folder, "absent.db")}`;
  expect(await rolebook(command.split(" "), { ROLEBOOK_DATABASE_URL: url })).toEqual({
    status: 1,
    stdout: "",
    stderr: `There is no database ${url}. Make it with rolebook import FILE, or name another one with --database or ROLEBOOK_DATABASE_URL.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});
