/** Commands that need an existing database do not create one. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const ACME = fileURLToPath(new URL("../../examples/acme.ndjson", import.meta.url));
const folder = temporaryFolder();

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
  ["token rotate 0123"],
])("%s", async (command) => {
  const url = `sqlite:${join(folder, "absent.db")}`;
  expect(await rolebook(command.split(" "), { ROLEBOOK_DATABASE_URL: url })).toEqual({
    status: 1,
    stdout: "",
    stderr: `There is no database ${url}. Create it with rolebook import FILE, or name another one with --database or ROLEBOOK_DATABASE_URL.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("a dry run compares with an empty database, says so, and creates none", async () => {
  const url = `sqlite:${join(folder, "absent.db")}`;
  const ran = await rolebook(["import", "--dry-run", ACME], { ROLEBOOK_DATABASE_URL: url });
  expect(ran).toMatchObject({
    status: 0,
    stderr:
      `There is no database ${url} yet, so this compares with an empty one; rolebook import FILE creates it.\n` +
      "This was a dry run; nothing was changed.\n",
  });
  expect(ran.stdout).toMatch(/member +34 +0 +0/);
  expect(readdirSync(folder)).toEqual([]);
});

test("every command that writes names the database", async () => {
  const url = `sqlite:${join(folder, "made.db")}`;
  const said = async (...args: string[]) => {
    const { status, stdout, stderr } = await rolebook(args, { ROLEBOOK_DATABASE_URL: url });
    expect([args, status]).toEqual([args, 0]);
    expect([args, stderr.split("\n").some((line) => line.includes(url))]).toEqual([args, true]);
    return stdout;
  };
  await said("import", ACME);
  await said("import", ACME);
  await said("token", "create", "--organization", "acme");
  const tokens = () => rolebook(["token", "list"], { ROLEBOOK_DATABASE_URL: url });
  const [id = ""] = /^\w{12}/m.exec((await tokens()).stdout) ?? [];
  await said("token", "rotate", id);
  await said("token", "revoke", id);
  await said("database", "migrate");
  await said("organization", "remove", "acme", "--yes");
});
