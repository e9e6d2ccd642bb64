/** Imports that the guard refuses: Acme without some of its data. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ran, rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";

let folder: string;
let before: string;
const run = (...args: string[]): Promise<Ran> =>
  rolebook(args, { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-guard-"));
  const first = await run("import", "--format", "ndjson", fileOf(acme));
  expect(first.status).toBe(0);
  expect(lastLine(first)).toMatchObject({ outcome: "changed", dryRun: false });
  before = (await run("export", "--organization", "acme")).stdout;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(records: readonly SnapshotRecord[]): string {
  const file = join(folder, "snapshot.ndjson");
  writeFileSync(file, toLines(records));
  return file;
}

function lastLine({ stdout }: Ran): unknown {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

/** Acme, as a producer writes it that loses some fields or records. */
const lost = (change: (record: SnapshotRecord) => SnapshotRecord | undefined) =>
  acme.flatMap((record) => change(record) ?? []);

const CASES: readonly [what: string, records: SnapshotRecord[], table: RegExp, refusal: RegExp][] = [
  [
    "every team membership",
    lost((record) => (record.object === "teamMember" ? undefined : record)),
    /teamMember +0 +0 +24\n/,
    /^ {2}24 of 24 team memberships would go:\n( {4}.+\n){20} {4}… and 4 more\n/m,
  ],
  [
    "both default levels of null",
    lost((record) => {
      if (!("defaultLevel" in record) || record.defaultLevel !== null) return record;
      const { defaultLevel: _, ...inherits } = record;
      return inherits;
    }),
    /collection +0 +1 +0\nspace +0 +1 +0\n/,
    /^ {2}3 of 3 closed contents would open:\n {4}collection\/people \(People\)\n {4}space\/hiring \(Hiring\)\n {4}space\/salaries \(Salaries\)\n/m,
  ],
  [
    "every role but admin",
    lost((record) => (record.object === "member" ? { ...record, role: "admin" } : record)),
    /member +0 +32 +0\n/,
    /^ {2}32 of 34 members would become admins:\n( {4}.+\n){20} {4}… and 12 more\nBeside that:\n {2}5 of 34 members would become more than guests:\n( {4}.+\n){5}If/m,
  ],
  [
    "every permission",
    lost((record) => (record.object === "permission" ? undefined : record)),
    /permission +0 +0 +26\n/,
    /^ {2}26 of 26 permissions would go:\n/m,
  ],
];

describe.each(CASES)("Acme without %s", (_, records, table, refusal) => {
  test("is refused with the counts and the first names, and nothing is changed", async () => {
    const refused = await run("import", "--format", "ndjson", fileOf(records));
    expect(refused.status).toBe(3);
    expect(refused.stderr).toMatch(table);
    expect(refused.stderr).toMatch(/^Refused, and nothing was changed: organization acme \(Acme\)\n/m);
    expect(refused.stderr).toMatch(refusal);
    expect(refused.stderr).toMatch(/\nIf this is intended, add --allow-removals\.\n$/);
    expect(lastLine(refused)).toMatchObject({ outcome: "refused" });
    expect((await run("export", "--organization", "acme")).stdout).toBe(before);
  });
});

test("a dry run prints what the import would print, refused or allowed", async () => {
  const [[, records] = ["", []]] = CASES;
  const refused = await run("import", fileOf(records));
  const dry = await run("import", "--dry-run", fileOf(records));
  expect(dry).toMatchObject({ status: 3, stderr: refused.stderr });
  const allowed = await run("import", "--dry-run", "--allow-removals", "--format", "ndjson", fileOf(records));
  expect(allowed).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/\nThis was a dry run; nothing was changed\.\n$/),
  });
  expect(lastLine(allowed)).toMatchObject({ outcome: "changed", dryRun: true });
});

test("a new organization without members needs a confirmation; an existing one may lose its last two", async () => {
  const empty = fileOf([{ object: "organization", id: "new", title: "New" }]);
  const refused = await run("import", empty);
  expect(refused.status).toBe(3);
  expect(refused.stderr).toContain(
    "would be created without members. If this is intended, add --allow-empty.",
  );
  expect((await run("import", "--allow-removals", empty)).status).toBe(3);
  expect((await run("import", "--allow-empty", empty)).status).toBe(0);
  const same = await run("import", "--format", "ndjson", empty);
  expect(same).toMatchObject({ status: 0, stderr: expect.stringContaining("changes nothing") });
  expect(lastLine(same)).toMatchObject({ outcome: "unchanged" });
});

test("an error has the outcome failed, in the line of --format ndjson too", async () => {
  const file = join(folder, "wrong.ndjson");
  writeFileSync(file, "{}\n");
  const failed = await run("import", "--format", "ndjson", file);
  expect(failed.status).toBe(1);
  expect(lastLine(failed)).toMatchObject({ outcome: "failed", message: expect.stringContaining("object") });
});
