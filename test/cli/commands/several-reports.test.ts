/** Several spaces, collections, sites or users in one report, one diff and one review. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { rolebook } from "../../command.ts";
import { readReport } from "../../store/read-report.ts";
import { temporaryFolder } from "../../folder.ts";

const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const ACME = "examples/acme.ndjson";

/** Revision 1 is Acme without the permissions on these contents, revision 2 is Acme. */
beforeAll(async () => {
  const later = /^\{"object":"permission","\w+":"(?:handbook|style-guide|api-reference|partner)",.*\n/gm;
  const before = written("before.ndjson", readFileSync(ACME, "utf8").replace(later, ""));
  for (const file of [before, ACME]) await run("import", file);
});

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await rolebook(args, environment);
  expect(status, `${args.join(" ")}: ${stderr}`).toBe(0);
  return stdout;
}

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function linesOf(text: string): string[] {
  return text.trimEnd().split(/\r?\n/);
}

const COMMANDS = [
  ["report", ["report", "--no-head"]],
  ["diff", ["diff", "--from", "1", "--format", "ndjson"]],
] as const;

test.each([
  ["--space", "style-guide", "api-reference"],
  ["--collection", "partner", "handbook"],
  // A collection inside the other one.
  ["--collection", "developer-docs", "handbook"],
  // Both sites have the changelog.
  ["--site", "partner-hub", "acme-docs"],
  ["--user", "lena", "ana"],
])("%s %s %s has the rows of both, each once", async (option, one, other) => {
  for (const [name, command] of COMMANDS) {
    const both = linesOf(await run(...command, option, one, option, other));
    const [first, second] = [
      linesOf(await run(...command, option, one)),
      linesOf(await run(...command, option, other)),
    ];
    expect(Math.min(first.length, second.length), name).toBeGreaterThan(1);
    expect(both.toSorted()).toEqual([...new Set([...first, ...second])].toSorted());
    expect(linesOf(await run(...command, option, other, one, option, one))).toEqual(both);
  }
});

test("the head names all of them", async () => {
  const report = await run("report", "--space", "glossary", "--space", "changelog", "--user", "ana", "noor");
  expect(readReport(Buffer.from(report)).head.get("covers")).toEqual([
    "spaces glossary and changelog",
    'users "ana" and "noor" only',
    "every role",
  ]);
  const diff = await run("diff", "--from", "1", "--format", "csv", "--site", "partner-hub", "acme-docs");
  expect(diff).toContain("\r\ncovers,the spaces of sites partner-hub and acme-docs,members and guests,");
});

test("one that does not exist is an error", async () => {
  for (const [, command] of COMMANDS) {
    const ran = await rolebook([...command, "--space", "glossary", "--space", "nope"], environment);
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toBe('There is no space "nope" in organization acme.\n');
  }
});

test("a review of several spaces lists newcomers, although one space has gone", async () => {
  const sheet = written("review.csv", await run("report", "--space", "glossary", "--space", "changelog"));
  const records = [
    { object: "changes", organization: "acme" },
    { object: "space", id: "changelog", removed: true, with: "all" },
    { object: "permission", space: "glossary", user: "kofi@partner.example", permission: "read" },
    { object: "end", records: 3 },
  ];
  await run("apply", written("change.ndjson", records.map((each) => JSON.stringify(each)).join("\n")));
  const { status, stdout, stderr } = await rolebook(["review", sheet, "--format", "csv"], environment);
  expect([status, stderr]).not.toContain("altered");
  expect(stdout).toMatch(/^came,space\/glossary,kofi@partner\.example,/m);
  expect(stdout).toMatch(/^removed,space\/changelog,.*the space no longer exists/m);

  const whole = written(
    "whole.csv",
    await run("report", "--collection", "people", "--collection", "product"),
  );
  const gone = [
    { object: "changes", organization: "acme" },
    ...["hiring", "salaries", "benefits"].map((id) => ({ object: "space", id, removed: true, with: "all" })),
    { object: "collection", id: "people", removed: true, with: "all" },
    { object: "permission", collection: "product", user: "kofi@partner.example", permission: "read" },
  ];
  await run("apply", written("gone.ndjson", gone.map((each) => JSON.stringify(each)).join("\n")));
  expect((await rolebook(["review", whole, "--format", "csv"], environment)).stdout).toMatch(
    /^came,collection\/product,kofi@partner\.example,/m,
  );
});
