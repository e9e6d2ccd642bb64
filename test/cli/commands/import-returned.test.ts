/** What a whole file brings back after `apply` removed it, as `import` tells it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { temporaryFolder } from "../../folder.ts";

const folder = temporaryFolder();
const run = (...args: string[]) =>
  rolebook(args, { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` });
const given = acme.flatMap((record) => (record.object === "permission" ? [record] : []));

beforeAll(async () => {
  expect(await run("import", "examples/acme.ndjson")).toMatchObject({ status: 0 });
  const header = { object: "changes", organization: "acme" };
  const gone = given.map((record) => ({ ...record, permission: undefined, removed: true }));
  const file = join(folder, "gone.ndjson");
  writeFileSync(file, [header, ...gone].map((record) => JSON.stringify(record)).join("\n"));
  expect(await run("apply", "--allow-removals", file)).toMatchObject({ status: 0 });
});

test("the number and the first 20 go to standard error", async () => {
  const { status, stderr } = await run("import", "--dry-run", "examples/acme.ndjson");
  const lines = stderr.trimEnd().split("\n");
  expect([status, lines[0], lines.length]).toEqual([
    0,
    `${given.length} records that rolebook apply removed come back; remove what is not wanted where the file comes from:`,
    23,
  ]);
  expect(lines[1]).toMatch(
    /^ {2}permission admin for amara \(Amara Okafor\) on .*, removed in revision 2 \(2\d{3}-.*Z\)$/,
  );
  expect(lines[21]).toBe(`  and ${given.length - 20} more; --format ndjson lists them all`);
});

test("NDJSON has all of them, before the guard speaks", async () => {
  const file = join(folder, "few.ndjson");
  writeFileSync(
    file,
    acme
      .filter(({ object }) => object !== "teamMember")
      .map((record) => JSON.stringify(record))
      .join("\n"),
  );
  const { status, stdout, stderr } = await run("import", "--format", "ndjson", file);
  const lines: { change?: string; kind?: string; outcome?: string; returned?: number }[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(status).toBe(3);
  expect(lines.slice(0, -1).map(({ change, kind }) => `${change} ${kind}`)).toEqual(
    given.map(() => "returned permission"),
  );
  expect(lines[0]).toMatchObject({
    organization: "acme",
    after: { object: "permission" },
    removed: { revision: 2 },
  });
  expect(lines.at(-1)).toMatchObject({ outcome: "refused", returned: given.length });
  expect(stderr.indexOf("come back")).toBeLessThan(stderr.indexOf("24 of 24 team memberships would go"));
});

test("--refuse-returned refuses with status 3, and says no more once nothing comes back", async () => {
  const refused = await run("import", "--refuse-returned", "examples/acme.ndjson");
  expect([refused.status, refused.stderr.trimEnd().split("\n").at(-1)]).toEqual([
    3,
    `Refused by --refuse-returned: ${given.length} records would come back. Nothing was changed.`,
  ]);
  expect(await run("import", "examples/acme.ndjson")).toMatchObject({ status: 0 });
  const again = await run("import", "--refuse-returned", "examples/acme.ndjson");
  expect([again.status, again.stderr]).toEqual([0, expect.stringMatching(/^The import changes nothing/)]);
});
