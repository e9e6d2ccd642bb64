/** `rolebook diff` as a process, and its examples in docs/past.md. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Papa from "papaparse";
import { beforeAll, expect, test, vi } from "vitest";
import { rolebook } from "../../command.ts";
import { acme, textOf } from "../../examples/acme.ts";
import { fencedUnder } from "../../docs/reading/fence.ts";
import { temporaryFolder } from "../../folder.ts";
import { sqlitePlace, World } from "../../world.ts";

const doc = textOf("docs/past.md");
const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}`, TMPDIR: folder };

const diff = (...args: string[]) => rolebook(["diff", ...args], environment);

beforeAll(async () => {
  const file = join(folder, "changes.ndjson");
  const [changes = ""] = fencedUnder(doc, "Who gained and lost", "json");
  writeFileSync(file, changes);
  for (const command of [
    ["import", "examples/acme.ndjson"],
    ["apply", file],
  ]) {
    expect(await rolebook(command, environment)).toMatchObject({ status: 0 });
  }
});

test("the output is that of the document", async () => {
  const [, ...commands] = fencedUnder(doc, "Who gained and lost", "sh");
  const outputs = fencedUnder(doc, "Who gained and lost", "");
  expect(outputs).toHaveLength(2);
  for (const [index, output] of outputs.entries()) {
    const command = commands[index]?.trim().split("\n").at(-1) ?? "";
    const { status, stdout } = await rolebook(command.split(" ").slice(1), environment);
    const [shown = "", rest] = output.split("…\n");
    expect(status).toBe(0);
    if (rest === undefined) expect(stdout).toBe(shown);
    else expect(stdout).toContain(shown);
  }
});

test("a CSV has the head of a report and its hash, and a review says what to take instead", async () => {
  const { stdout, stderr } = await diff("--from", "1", "--site", "acme-docs", "--format", "csv");
  const { data } = Papa.parse<string[]>(stdout.slice(1), { newline: "\r\n" });
  const [head, rows] = [new Map(data.slice(0, 7).map(([name, ...rest]) => [name, rest])), data.slice(8, -1)];
  expect(data[0]).toEqual(["Rolebook diff"]);
  expect(head.get("rows")).toEqual([String(rows.length)]);
  expect(rows.length).toBeGreaterThan(0);
  expect(stderr).toContain(`${rows.length} rows: Acme from revision 1 (`);
  const lines = stdout.split("\r\n").slice(8).join("\r\n");
  expect(head.get("sha256")).toEqual([createHash("sha256").update(lines).digest("hex")]);
  const file = join(folder, "diff.csv");
  for (const csv of [stdout, (await diff("--from", "1", "--format", "csv")).stdout]) {
    expect(csv).not.toContain("decision");
    writeFileSync(file, csv);
    expect(await rolebook(["review", file], environment)).toMatchObject({
      status: 1,
      stderr: `${file} is the CSV of rolebook diff, which has no decisions; accepted: a report, such as rolebook report --since 2026-01-01 writes.\n`,
    });
  }
});

test("the sheet that the page offers for a review is one that a review takes", async () => {
  const commands = fencedUnder(doc, "Who gained and lost", "sh");
  const [report = "", file] =
    commands
      .find((each) => each.includes("review.csv"))
      ?.trim()
      .split(" > ") ?? [];
  expect(file).toBe("review.csv");
  const world = await World.open(sqlitePlace);
  try {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const [day, records] of [
      ["2025-12-31", acme.filter((record) => record.object !== "permission" || record.user !== "daniel")],
      ["2026-03-31", acme],
    ] as const) {
      vi.setSystemTime(Date.parse(`${day}T12:00:00Z`));
      await world.import(records);
    }
    vi.useRealTimers();
    const place = { ROLEBOOK_DATABASE_URL: world.url };
    const written = await rolebook(report.split(" ").slice(1), place);
    expect(written).toMatchObject({ status: 0 });
    const sheet = join(folder, "review.csv");
    writeFileSync(sheet, written.stdout);
    const { status, stdout, stderr } = await rolebook(["review", sheet], place);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).not.toContain("altered");
    // Daniel’s permission is new; on Hiring, he had no role before.
    expect(stdout).toMatch(/^still there +space\/hiring +daniel +comment/m);
  } finally {
    vi.useRealTimers();
    await world.close();
  }
});

test("prints the correct number of pairs before the first one", async () => {
  const { stdout, stderr } = await diff("--from", "1", "--pairs", "--format", "ndjson");
  const rows = stdout.trim().split("\n");
  expect(stderr).toMatch(new RegExp(`^The pairs are ${rows.length} rows\\.\n`));
  expect(JSON.parse(rows[0] ?? "")).toMatchObject({ before: { role: "review" }, after: null });
});

test("from the later revision to the earlier, each cause is shown as undone", async () => {
  const { stdout } = await diff("--from", "2", "--to", "1", "--user", "nils", "--format", "ndjson");
  const [row = ""] = stdout.split("\n");
  expect(JSON.parse(row)).toMatchObject({
    sentence:
      "lowered from edit to comment, because revision 2, in which team Writers’s permission on collection Handbook went from comment to edit, is undone",
  });
});

test("the cause of a newcomer's role is what gives the role, in the revision that gave it", async () => {
  const place = { ...environment, ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "newcomer.db")}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], place)).toMatchObject({ status: 0 });
  const header = { object: "changes", organization: "acme" };
  const given = (space: string, permission: string) => ({
    object: "permission",
    space,
    user: "new",
    permission,
  });
  const files = [
    [
      { object: "user", id: "new", displayName: "New Guest" },
      { object: "member", organization: "acme", user: "new", role: null },
      { object: "teamMember", team: "translators", user: "new", role: "member" },
      given("salaries", "read"),
    ],
    [given("hiring", "edit")],
  ];
  for (const [index, records] of files.entries()) {
    const file = join(folder, `newcomer-${index}.ndjson`);
    writeFileSync(file, [header, ...records].map((record) => `${JSON.stringify(record)}\n`).join(""));
    expect(await rolebook(["apply", file], place)).toMatchObject({ status: 0 });
  }
  const args = ["diff", "--from", "1", "--user", "new", "--format", "ndjson"];
  const { stdout } = await rolebook(args, place);
  const rows = stdout
    .trim()
    .split("\n")
    .map((line): { sentence: string } => JSON.parse(line));
  expect(rows.map(({ sentence }) => sentence)).toEqual([
    "gained edit, because New Guest joined team Translators in revision 2",
    "gained edit, because New Guest was given edit on space Hiring in revision 3",
    "gained read, because New Guest was given read on space Salaries in revision 2",
  ]);
});

test("the records are a change file that apply takes", async () => {
  const { stdout } = await diff("--from", "2", "--to", "1", "--records", "--format", "ndjson");
  const file = join(folder, "undo.ndjson");
  writeFileSync(file, stdout);
  const { status, stdout: told } = await rolebook(["apply", "--dry-run", "--complete", file], environment);
  expect(status).toBe(0);
  expect(told).toMatch(/^permission +\d+ +1 +0 +0$/m);
});

test("with a base, the records apply only to the revision from which they were computed", async () => {
  const apply = async (from: string, to: string, ...args: string[]) => {
    const { stdout } = await diff("--from", from, "--to", to, "--records", "--base");
    const file = join(folder, "based.ndjson");
    writeFileSync(file, stdout);
    return rolebook(["apply", ...args, file], environment);
  };
  expect(await apply("2", "1", "--dry-run")).toMatchObject({ status: 0 });
  const refused = await apply("1", "2");
  expect(refused).toMatchObject({ status: 1 });
  expect(refused.stderr).toContain(
    'changes.base is "1"; accepted: 2, the current revision of organization acme',
  );
});

test.each([
  [["--from", "1", "--base"], 2, /^--base is given without --records; accepted: both/],
  [["--from", "x"], 2, /^--from is "x"; accepted: the number of a revision, such as 41/],
  [["--from", "7"], 1, /^There is no revision "7" that can be read; the earliest is 1 \(/],
  [["--from", "1", "--format", "xml"], 2, /^--format is "xml"; accepted: table, csv, ndjson\.\n$/],
  [
    ["--from", "1", "--records", "--format", "csv"],
    2,
    /^--format is "csv"; accepted: ndjson with --records\.\n$/,
  ],
  [["--from", "1", "--space", "x"], 1, /^There is no space "x" in organization acme\.\n$/],
  [["--from", "1", "--user", "x"], 1, /^There is no member "x" in organization acme\.\n$/],
  [["--from", "1", "--space", "a", "--site", "b"], 2, /^--space and --site are both given/],
  [[], 2, /required option '--from <when>' not specified/],
] as const)("diff %j: status %i", async (args, status, stderr) => {
  const ran = await diff(...args);
  expect(ran).toMatchObject({ status, stdout: "" });
  expect(ran.stderr).toMatch(stderr);
});
