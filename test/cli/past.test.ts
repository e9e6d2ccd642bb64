/** The commands that read the past, each in its own process. */
import { hash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ran, rolebook } from "../command.ts";
import { acme } from "../examples/acme.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";

let folder: string;
let world: World;
let environment: Record<string, string>;

/** Acme without Ana, and with another title. */
const LATER = acme
  .filter((record) => !("user" in record && record.user === "ana"))
  .map((record): SnapshotRecord =>
    record.object === "organization" ? { ...record, title: "Later" } : record,
  );

const run = (...args: string[]): Promise<Ran> => rolebook(args, environment);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-past-"));
  const place = await sqlitePlace();
  world = await World.open(async () => place);
  await world.import(acme);
  await world.import(LATER);
  environment = {
    ROLEBOOK_DATABASE_URL: place.url,
    ROLEBOOK_URL: await world.app.listen({ host: "127.0.0.1", port: 0 }),
    ROLEBOOK_TOKEN: await world.token("acme"),
  };
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

test("export --at writes the past; importing and exporting that again gives the same", async () => {
  const now = await run("export", "--organization", "acme");
  const then = await run("export", "--organization", "acme", "--at", "1");
  expect([then.status, now.stdout === then.stdout]).toEqual([0, false]);
  const file = join(folder, "then.ndjson");
  writeFileSync(file, then.stdout);
  const elsewhere = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "elsewhere.db")}` };
  expect(await rolebook(["import", file], elsewhere)).toMatchObject({ status: 0 });
  expect((await rolebook(["export", "--organization", "acme"], elsewhere)).stdout).toBe(then.stdout);
});

test("report --at has the revision and title of that time", async () => {
  const { status, stdout, stderr } = await run("report", "--user", "ana", "--at", "1");
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^Writing \d+ rows of Acme, revision 1\.\n$/),
  });
  expect(stdout).toContain("revision,1\r\n");
  expect((await run("report", "--user", "ana")).stderr).toContain('There is no member "ana"');
});

test("why --at explains the past role, and suggests names of that time", async () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(await run("why", "ana", "space/api-reference", "--at", "1")).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^As of revision 1 \(\d{4}-[^)]*Z\):\n$/),
  });
  expect(await run("why", "ana", "space/api-reference", "--at", today)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no member "ana" in organization acme.'),
  });
  expect((await run("why", "anna", "space/api-reference", "--at", "1")).stderr).toContain(
    "one of these: ana",
  );
});

test("list --at reads the past from a server", async () => {
  const args = ["list", "member-teams", "ana", "--organization", "acme", "--format", "ndjson"];
  const then = await run(...args, "--at", "1");
  expect(then).toMatchObject({ status: 0, stderr: expect.stringMatching(/revision 1\.\n$/) });
  expect(then.stdout).toMatch(/^\{"team":/);
  expect(await run(...args)).toMatchObject({ status: 1 });
});

test("revisions lists the source of each, latest first", async () => {
  const elsewhere = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "revisions.db")}` };
  const one = join(folder, "one.ndjson.gz");
  const other = join(folder, "other.ndjson");
  const users = acme.filter(({ object }) => object === "user");
  writeFileSync(one, gzipSync(toLines(acme.filter((record) => !users.includes(record)))));
  writeFileSync(other, toLines(users));
  const imported = ["import", one, other, "--note", "audit\tof March"];
  expect(await rolebook(imported, elsewhere)).toMatchObject({ status: 0 });
  expect(await rolebook(imported, elsewhere)).toMatchObject({ status: 0 });
  const later = join(folder, "later.ndjson");
  writeFileSync(later, toLines(LATER));
  expect(await rolebook(["import", later], elsewhere)).toMatchObject({ status: 0 });
  const { stdout } = await rolebook(["revisions", "--format", "ndjson"], elsewhere);
  const [second, first, ...others] = stdout
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(others).toEqual([]);
  const sha256 = (...files: string[]) =>
    hash("sha256", Buffer.concat(files.map((file) => readFileSync(file))));
  const members = acme.filter(({ object }) => object === "member").length;
  expect(first).toMatchObject({ revision: 1, command: "import", note: "audit\tof March", title: "Acme" });
  expect(first).toMatchObject({ input: sha256(one, other), counts: { members } });
  expect(second).toMatchObject({ revision: 2, command: "import", title: "Later", input: sha256(later) });
  expect(second).not.toHaveProperty("note");
  const shown = (await rolebook(["revisions", "--organization", "acme"], elsewhere)).stdout.split("\n");
  expect(shown[0]).toMatch(/^revision +time +command +members .* note +input \(SHA-256\)$/);
  expect(shown[1]).toMatch(new RegExp(`^ +2 +${String(second?.importedAt)} +import .* ${sha256(later)}$`));
  expect(shown[2]).toContain("audit of March");
  expect(await rolebook(["revisions", "--format", "yaml"], elsewhere)).toMatchObject({ status: 2 });
});

test("status shows the kept past, and when the last whole file and the last change file were received", async () => {
  const cells = async () => {
    const lines = (await run("status")).stdout.split("\n");
    return Object.fromEntries(lines.map((line) => line.split(/ {2,}/)));
  };
  const before = await cells();
  expect(before).toMatchObject({ revision: "2", "last change": "never", kept: "2", earliest: "1" });
  expect(before["last file"]).toBe(before.imported);
  expect(Number(before["past, about MB"])).toBeGreaterThan(0);
  const change = join(folder, "change.ndjson");
  writeFileSync(
    change,
    '{"object":"changes","organization":"acme"}\n{"object":"team","id":"new","organization":"acme","title":"New","createdAt":"2026-01-01T00:00:00Z"}\n',
  );
  expect(await run("apply", change)).toMatchObject({ status: 0 });
  const after = await cells();
  expect(after).toMatchObject({ revision: "3", "last file": before["last file"], kept: "3", earliest: "1" });
  expect(after["last change"]).toBe(after.imported);
});

describe("history", () => {
  const url = () => ({ ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "history.db")}` });
  const history = (...args: string[]) => rolebook(["history", ...args], url());

  beforeAll(async () => {
    for (const [name, records] of Object.entries({ acme, later: LATER })) {
      const file = join(folder, `${name}.ndjson`);
      writeFileSync(file, toLines(records));
      await rolebook(["import", file], url());
    }
  });

  test("is 400 days, or a longer one if it is set", async () => {
    expect(await history()).toMatchObject({ status: 0, stdout: "400d\n" });
    expect(await history("forever")).toMatchObject({ status: 0, stdout: "" });
    expect(await history()).toMatchObject({ stdout: "forever\n" });
  });

  test("is shortened only with --yes, and then lists the deleted revisions", async () => {
    const old = new DatabaseSync(join(folder, "history.db"));
    old.exec("UPDATE revision SET imported_at = '2026-01-0' || revision || 'T00:00:00.000Z'");
    old.close();
    const refused = await history("36h");
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^Revisions that would be deleted:\norganization +revisions +from +to\nacme +1  2026-01-01T.*\n.*--yes/,
    );
    expect(await history()).toMatchObject({ stdout: "forever\n" });
    expect(await rolebook(["revisions"], url())).toMatchObject({ stdout: expect.stringMatching(/\n +1 /) });
    expect((await history("400d", "--yes")).stderr).toMatch(/are kept for 400d after they are replaced/);
    expect((await history("401d")).status).toBe(0);
  });

  test.each(["9m", "0d", "1w", "-1d", "never", ""])("is not %j", async (duration) => {
    expect(await history("--yes", "--", duration)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^DURATION is .*; accepted: days, hours or minutes, .* at least 10m, or forever.\n$/,
      ),
    });
  });
});

describe("an invalid WHEN", () => {
  const COMMANDS = [
    ["export", "--organization", "acme"],
    ["report"],
    ["why", "ana", "space/api-reference"],
    ["list", "member-teams", "ana", "--organization", "acme"],
  ];

  test.each(COMMANDS)("%s refuses it in one line", async (...command) => {
    expect(await run(...command, "--at", "yesterday")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^--at is "yesterday"; accepted: the number of a revision, [^\n]*\n$/),
    });
    expect(await run(...command, "--at", "2000-01-01")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^There is no revision "2000-01-01" that can be read; the earliest is 1 \([^\n]*, the latest \d \([^\n]*\n$/,
      ),
    });
  });
});

test("forget-user leaves nothing of a person in the bytes of the file or its log, while a server uses it", async () => {
  const database = environment["ROLEBOOK_DATABASE_URL"]?.slice("sqlite:".length) ?? "";
  const kept = () =>
    ["", "-wal"].map((suffix) => /lima/i.test(readFileSync(database + suffix).toString("latin1")));
  const forget = () => run("organization", "forget-user", "--organization", "acme", "ana");
  expect(kept()).toContain(true);
  const forgotten = await forget();
  expect(forgotten).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Removed name, .*\nThe id stays .*\nRewriting the file/),
  });
  expect(kept()).toEqual([false, false]);
  expect((await run("verify")).status).toBe(0);
  expect(
    (await world.get("/at/1/v1/spaces/api-reference/permissions/users", await world.token("acme"))).status,
  ).toBe(200);
  expect((await forget()).stderr).toMatch(/^.* has nothing about ana except the id\.\nThe id stays/);
});
