/** `rolebook import --details` lists every changed record and every token that ends, in three formats. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";

let folder: string;
let token: string;
let next: string;
const run = (...args: string[]) =>
  rolebook(args, { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` });

function fileOf(name: string, records: readonly SnapshotRecord[]): string {
  const file = join(folder, name);
  writeFileSync(file, toLines(records));
  return file;
}

/** Jonas leaves, Salaries gets another title, and Ana's role becomes edit. */
const NEXT = acme.flatMap((record): SnapshotRecord[] => {
  if (JSON.stringify(record).includes("jonas@partner.example")) return [];
  if (record.object === "space" && record.id === "salaries") return [{ ...record, title: "=Pay" }];
  if (record.object === "member" && record.user === "ana") return [{ ...record, role: "edit" }];
  return [record];
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-details-"));
  expect((await run("import", fileOf("acme.ndjson", acme))).status).toBe(0);
  next = fileOf("next.ndjson", NEXT);
  const holder = ["--organization", "acme", "--member", "jonas@partner.example"];
  await run("token", "create", ...holder, "--name", "CI");
  await run("token", "create", "--organization", "acme", "--name", "stays");
  token = /^(\w{12}) .*CI/m.exec((await run("token", "list")).stdout)?.[1] ?? "";
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("as a table, after the table of counts", async () => {
  const { status, stdout, stderr } = await run("import", "--dry-run", "--details", next);
  expect(status).toBe(0);
  const details = stdout.slice(stdout.indexOf("organization  change"));
  const lines = details.trimEnd().split("\n");
  expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1).join(" | "))).toEqual([
    "removed | user | jonas@partner.example (Jonas Weber)",
    "changed | member | ana (Ana Lima) | role comment → edit",
    "removed | member | jonas@partner.example (Jonas Weber) | role null",
    "changed | space | space/salaries (=Pay) | title Salaries → =Pay",
    `removed | token | ${token} (CI) of jonas@partner.example`,
  ]);
  expect(stderr).toBe(
    "Tokens of members who leave, deleted with them: 1.\nThis was a dry run; nothing was changed.\n",
  );
});

test("as CSV, without other output, safe for a spreadsheet", async () => {
  const { stdout, stderr } = await run("import", "--dry-run", "--details", "--format", "csv", next);
  const { data, errors } = Papa.parse<Record<string, string>>(stdout, { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  expect(data).toContainEqual(
    expect.objectContaining({
      change: "changed",
      kind: "space",
      content: "space/salaries",
      content_title: "'=Pay",
      what: "title Salaries → =Pay",
    }),
  );
  expect(data.at(-1)).toMatchObject({ change: "removed", kind: "token", token, token_name: "CI" });
  expect(stderr).toMatch(/^acme \(Acme\)\nkind /);
});

test("as NDJSON, each record before and after, then the outcome", async () => {
  const { stdout } = await run("import", "--dry-run", "--details", "--format", "ndjson", next);
  const lines: unknown[] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const role = { object: "member", organization: "acme", user: "ana" };
  expect(lines).toContainEqual({
    organization: "acme",
    change: "changed",
    kind: "member",
    before: { ...role, role: "comment" },
    after: { ...role, role: "edit" },
  });
  expect(lines.at(-2)).toMatchObject({ kind: "token", before: { id: token, user: "jonas@partner.example" } });
  expect(lines.at(-1)).toMatchObject({ outcome: "changed", dryRun: true, endingTokens: 1 });
});

test.each([
  [["--format", "csv"], /--format csv is given without --details/],
  [["--details", "--format", "xml"], /--format is "xml"; accepted: table, csv, ndjson/],
])("%j is wrong usage", async (flags, message) => {
  const { status, stdout, stderr } = await run("import", ...flags, next);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(message);
});

test("without --dry-run it prints the same, and the tokens are deleted", async () => {
  const dry = await run("import", "--dry-run", "--details", next);
  const done = await run("import", "--details", next);
  expect(done).toMatchObject({ status: 0, stdout: dry.stdout });
  expect(done.stderr).toMatch(/Wrote .*rolebook\.db\.\n$/);
  const tokens = (await run("token", "list")).stdout;
  expect(tokens).not.toContain(token);
  expect(tokens).toContain("stays");
});
