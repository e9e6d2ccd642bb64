/** `rolebook review` reads a decided file, and says what became of its rows. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { changeHistory } from "../../src/store/revisions/history.ts";
import {
  type ReportScope,
  coverOf,
  scopeNamed,
  scopeSaid,
  whereNamed,
  whereOf,
  whoOf,
} from "../../src/domain/scope.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const file = join(folder, "review.csv");

beforeAll(async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
});

test("a decided file: decisions are counted, other words are warned about; another file is refused", async () => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  const decided = stdout
    .replace(/(,amara,.*),,\r\n/, "$1,remove,left\r\n")
    .replace(/(,ivo,.*),,\r\n/, "$1,keep,\r\n");
  expect(decided).not.toBe(stdout);
  writeFileSync(file, decided);
  const whole = await rolebook(["review", file], environment);
  expect(whole).toMatchObject({ status: 0 });
  expect(whole.stdout.split("\n")[0]).toMatch(
    /^outcome +content +user +decision +was +now +reason +since +comment$/,
  );
  expect(whole.stdout).toMatch(
    /^still there +space\/salaries +amara +remove +admin +admin +direct permission here +left$/m,
  );
  expect(whole.stderr).not.toContain("altered");
  expect(whole.stderr).toContain("remove: 1 still there");
  expect(whole.stderr).toContain("keep: 1 still there");

  const row = decided.split("\r\n").findIndex((line) => line.includes(",amara,")) + 1;
  expect(whole.stderr).not.toContain("accepted:");
  writeFileSync(file, decided.replace(",remove,left", ",Removed,left").replace(",keep,", ", KEEP ,"));
  const others = await rolebook(["review", file], environment);
  expect(others.stderr).toContain(
    `Row ${row} (space/salaries, amara): decision is "Removed"; accepted: keep, remove, ask or empty.\n`,
  );
  expect(others.stderr.match(/accepted/g)).toHaveLength(1);
  expect(others.stderr).toMatch(/\nReport of revision 1.* Decisions in other words: 1\.\n$/);

  const none = await rolebook(["review", "examples/people.csv"], environment);
  expect(none).toMatchObject({ status: 1, stdout: "" });
  expect(none.stderr).toMatch(/^examples\/people.csv is not a report of rolebook report with its head/);
});

test("a decision counts as one word, however it is spelt", async () => {
  const { stdout } = await rolebook(["report", "--space", "glossary"], environment);
  const words = ["Remove", "remove", " REMOVE ", "keep", "Keep", "Later", "later"];
  writeFileSync(
    file,
    stdout.replaceAll(/,,\r\n/g, (end) => `,${words.shift() ?? ""}${end.slice(1)}`),
  );
  expect(words).toEqual([]);
  const { stderr } = await rolebook(["review", file], environment);
  expect(stderr).toMatch(
    /\. remove: 3 still there; keep: 2 still there; later: 2 still there; undecided: \d+ still there\. Decisions/,
  );
});

test.each([
  [["--decision", "x"], 2, /^--decision is "x"; accepted: keep, remove, ask, other, open\.$/m],
  [["--outcome", "x"], 2, /^--outcome is "x"; accepted: removed, below, changed, still there, came\.$/m],
  [["--summary", "x.pdf", "--by", "A"], 2, /^--summary is "x\.pdf"; accepted: a name that ends in /],
  [["--summary", "x.html"], 2, /^--summary and --by NAME go together/],
  [["--changes", "x", "--at", "1"], 2, /^--changes is given with --at/],
  [["--changes", "/nowhere/x"], 1, /^\/nowhere\/x cannot be written: its folder does not exist\.$/m],
])("%j", async (options, status, message) => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  writeFileSync(file, stdout);
  const ran = await rolebook(["review", file, ...options], environment);
  expect(ran).toMatchObject({ status, stdout: "" });
  expect(ran.stderr).toMatch(message);
});

test("a report of a later revision than the compared one is refused", async () => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  writeFileSync(file, stdout.replace("\r\nrevision,1\r\n", "\r\nrevision,9\r\n"));
  const { status, stderr } = await rolebook(["review", file], environment);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      "The report is of revision 9, but it is compared with revision 1 of organization acme; accepted: the same or a later one.\n",
  });
});

test("a review of a revision that is no longer kept says so, and lists outcomes without a time", async () => {
  const database = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "pruned.db")}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], database)).toMatchObject({ status: 0 });
  const { stdout } = await rolebook(["report", "--space", "salaries"], database);
  writeFileSync(file, stdout.replace(/(,amara,.*),,\r\n/, "$1,remove,left\r\n"));
  const removals = join(folder, "removals.ndjson");
  expect(await rolebook(["review", file, "--changes", removals], database)).toMatchObject({ status: 0 });
  expect(await rolebook(["apply", removals], database)).toMatchObject({ status: 0 });
  const kept = await rolebook(["review", file, "--decision", "remove"], database);
  expect(kept.stdout).toContain(" was taken away in revision 2 (");
  expect(kept.stderr).not.toContain("no longer kept");

  const engine = await openEngine(database.ROLEBOOK_DATABASE_URL, () => {});
  try {
    await engine.importing(
      (staging) => changeHistory(engine, staging, 0),
      () => {},
    );
  } finally {
    await engine.close();
  }
  const pruned = await rolebook(["review", file, "--decision", "remove", "--format", "ndjson"], database);
  expect(pruned.stderr).toMatch(
    /^Revision 1 is no longer kept: changes before revision 2 \([-\dT:.]+Z\) are listed without a time\.\nSo the rows are compared only with the hash in the file itself\.\n/,
  );
  const summary = join(folder, "pruned.csv");
  expect(await rolebook(["review", file, "--summary", summary, "--by", "Ana"], database)).toMatchObject({
    status: 0,
  });
  expect(readFileSync(summary, "utf8")).toContain(
    'altered beyond the decisions,"no, by the hash in the file itself; revision 1 is no longer kept"',
  );
  const [row] = pruned.stdout.trimEnd().split("\n");
  expect(JSON.parse(row ?? "")).toMatchObject({ outcome: "removed", user: "amara", was: "admin", now: "" });
  expect(JSON.parse(row ?? "")).not.toHaveProperty("since");
});

test("newcomers on contents that are new in the report's scope are listed", async () => {
  const database = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "new.db")}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], database)).toMatchObject({ status: 0 });
  const reports = ["--collection=partner", "--space=glossary"].map(async (scope) => [
    scope,
    (await rolebook(["report", "--guests", scope], database)).stdout,
  ]);
  const sheets = await Promise.all(reports);
  const change = join(folder, "new.ndjson");
  const date = "2026-01-01T00:00:00Z";
  const space = { object: "space", id: "new", organization: "acme", title: "New", parent: "partner" };
  const records = [
    { object: "changes", organization: "acme" },
    { ...space, createdAt: date, updatedAt: date },
  ];
  writeFileSync(
    change,
    [...records, { object: "end", records: 2 }].map((each) => JSON.stringify(each)).join("\n"),
  );
  expect(await rolebook(["apply", change], database)).toMatchObject({ status: 0 });
  for (const [scope, sheet] of sheets) {
    writeFileSync(file, sheet ?? "");
    const { stdout } = await rolebook(["review", file, "--outcome", "came", "--format", "csv"], database);
    const came = stdout.split("\r\n").flatMap((line) => /^came,space\/new,([^,]+),/.exec(line)?.[1] ?? []);
    expect([scope, came.length > 1]).toEqual([scope, scope === "--collection=partner"]);
  }
});

test("a narrowed report lists as newcomers whom it would list today", async () => {
  const database = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "narrowed.db")}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], database)).toMatchObject({ status: 0 });
  const narrowings = ["--least=review", "--direct", "--team=agency", "--guests"];
  const reports = narrowings.map(async (narrowing) => {
    const { stdout } = await rolebook(["report", "--space=glossary", narrowing], database);
    return [narrowing, stdout] as const;
  });
  const sheets = await Promise.all(reports);
  const change = join(folder, "narrowed.ndjson");
  const given = (user: string, permission: string) => ({
    object: "permission",
    space: "glossary",
    user,
    permission,
  });
  const records = [
    { object: "changes", organization: "acme" },
    given("jonas@partner.example", "read"),
    given("kofi@partner.example", "review"),
    { object: "permission", space: "glossary", team: "agency", permission: "comment" },
    { object: "end", records: 4 },
  ];
  writeFileSync(change, records.map((each) => JSON.stringify(each)).join("\n"));
  expect(await rolebook(["apply", change], database)).toMatchObject({ status: 0 });
  const came: Record<string, string[]> = {};
  for (const [narrowing, sheet] of sheets) {
    writeFileSync(file, sheet);
    const { stdout, stderr } = await rolebook(
      ["review", file, "--outcome", "came", "--format", "csv"],
      database,
    );
    expect(stderr).not.toContain("altered");
    came[narrowing] = stdout
      .split("\r\n")
      .flatMap((line) => /^came,space\/glossary,([^,]+),/.exec(line)?.[1] ?? []);
  }
  expect(came["--least=review"]).toEqual(["kofi@partner.example"]);
  expect(came["--direct"]).toEqual(["jonas@partner.example", "kofi@partner.example"]);
  expect(came["--team=agency"]?.length).toBeGreaterThan(0);
  expect(came["--team=agency"]).not.toContain("kofi@partner.example");
  expect(came["--guests"]).toEqual(
    expect.arrayContaining(["jonas@partner.example", ...(came["--team=agency"] ?? [])]),
  );
});

test.each([
  {},
  { spaces: ["a"] },
  { spaces: ["a", "and", "b"] },
  { collections: ["a and all that lies in it"] },
  { collections: ["a", "b"] },
  { sites: ["space x"] },
  { sites: ["x", "y"] },
] satisfies ReportScope[])("%j is parsed from its words", (scope) => {
  expect(whereNamed(whereOf(scope))).toMatchObject(scope);
  expect(scopeNamed([whereOf(scope), "user guests only", "role edit only"])).toMatchObject({
    ...scope,
    users: ["guests"],
    role: "edit",
  });
  for (const users of [
    ["a", "b"],
    ['"', "\\", '" and "', '\\" and \\'],
    ["only", "s only", "users"],
  ]) {
    const named = scopeNamed([whereOf(scope), whoOf({ users }), "every role"]);
    expect(named).toMatchObject({ ...scope, users });
  }
  for (const narrowing of [
    { least: "edit" },
    { direct: true, since: "2026-03-01" },
    { role: "read", team: "through-team", newSince: "2026-03-01" },
    { withoutAdmins: true },
    { least: "edit", withoutAdmins: true, since: "2026-03-01" },
  ] satisfies ReportScope[]) {
    const cells = coverOf({ ...scope, ...narrowing });
    expect(scopeNamed(cells)).toMatchObject({ ...scope, ...narrowing });
    expect(scopeSaid(cells.join(", "))).toMatchObject({ ...scope, ...narrowing });
    expect(scopeNamed([...cells.slice(0, 2), `${cells[2]}; more`])).toBe(undefined);
  }
  expect(scopeNamed([whereOf(scope), "guests", "every role"])).toBe(undefined);
  expect(whereNamed(`${whereOf(scope)}\n`)).not.toEqual(whereNamed(whereOf(scope)));
});
