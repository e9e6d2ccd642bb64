/** `rolebook check` as a person types it; docs/reviews.md shows its output. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Papa from "papaparse";
import { beforeAll, expect, test } from "vitest";
import { rolebook } from "../../command.ts";
import { textOf } from "../../examples/acme.ts";
import { fencedUnder } from "../../docs/reading/fence.ts";
import { temporaryFolder } from "../../folder.ts";

const doc = textOf("docs/reviews.md");
const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };

beforeAll(async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
});

function rulesFile(text: string): string {
  const file = join(folder, "rules.yaml");
  writeFileSync(file, text);
  return file;
}

test("a check prints the output of the page for its rules", async () => {
  const [command = ""] = fencedUnder(doc, "Check rules", "sh");
  const { status, stdout, stderr } = await rolebook(command.trim().split(" ").slice(1), environment);
  expect({ status, stderr }).toEqual({ status: 1, stderr: "2 of 7 rules broken, 5 kept: 2 breaches.\n" });
  expect(stdout.match(/^(kept|broken) .*/gm)).toHaveLength(7);
  expect(stdout).toMatch(/^No guest .* 2026-06-30 +The trial of the SDK +ended +0$/m);
  const [shown = ""] = fencedUnder(doc, "The rules file", "yaml");
  expect(shown).toMatch(/^  - rule: /);
  expect(textOf("examples/rules.yaml")).toContain(shown);
});

test("tidy prints the output of the page, and apply accepts its change file", async () => {
  const { status, stdout } = await rolebook(["tidy"], environment);
  expect({ status, stdout }).toEqual({ status: 0, stdout: fencedUnder(doc, "Tidy up", "")[0] });
  const changes = await rolebook(["tidy", "--format", "changes"], environment);
  expect(changes.stdout).toBe(fencedUnder(doc, "Tidy up", "json")[0]);
  const file = join(folder, "tidy.ndjson");
  writeFileSync(file, changes.stdout);
  const applied = await rolebook(["apply", file, "--dry-run", "--format", "ndjson"], environment);
  expect(applied).toMatchObject({ status: 0 });
  const { organizations } = JSON.parse(applied.stdout.trimEnd().split("\n").at(-1) ?? "");
  expect(organizations[0].kinds.permission).toMatchObject({ removed: 1 });
});

test("tidy reads the past", async () => {
  const now = await rolebook(["tidy"], environment);
  expect(await rolebook(["tidy", "--at", "1"], environment)).toEqual(now);
  const none = await rolebook(["tidy", "--at", "2001-01-01"], environment);
  expect(none.stderr).toMatch(/^There is no revision "2001-01-01" that can be read/);
});

test("tidy writes the same in CSV and NDJSON", async () => {
  const csv = await rolebook(["tidy", "--format", "csv"], environment);
  const { data } = Papa.parse<Record<string, string>>(csv.stdout, { header: true, skipEmptyLines: true });
  const ndjson = await rolebook(["tidy", "--format", "ndjson"], environment);
  const lines: { finding: string; user?: { id: string }; reason: string }[] = ndjson.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(data.map(({ finding, user, reason }) => [finding, user, reason])).toEqual(
    lines.map(({ finding, user, reason }) => [finding, user?.id ?? "", reason]),
  );
  expect(data.length).toBeGreaterThan(3);
});

test("CSV and NDJSON have the same content", async () => {
  const csv = await rolebook(["check", "examples/rules.yaml", "--format", "csv"], environment);
  const { data } = Papa.parse<Record<string, string>>(csv.stdout, { header: true, skipEmptyLines: true });
  expect(
    data.map(({ object, content, user, count, state }) => [object, content, user, count, state]),
  ).toEqual([
    ["breach", "sdk-guides", "yuki@partner.example", "", ""],
    ["exception", "", "", "1", "counts"],
    ["exception", "", "", "0", "ended"],
    ["breach", "api-reference", "", "14", ""],
  ]);
  const ndjson = await rolebook(["check", "examples/rules.yaml", "--format", "ndjson"], environment);
  const lines: { object: string; result?: string }[] = ndjson.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ object }) => object !== "rule")).toHaveLength(data.length);
  expect(lines.flatMap(({ result }) => result ?? [])).toEqual([
    "kept",
    "kept",
    "kept",
    "kept",
    "broken",
    "kept",
    "broken",
  ]);
});

test("rules that are kept: exit status 0", async () => {
  const file = rulesFile("rules: [{ rule: Admins, what: organization, how: { at most: 2 }, role: admin }]");
  const { status, stderr } = await rolebook(["check", file], environment);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "The rule is kept.\n" });
});

test("a rule about something that does not exist is an error, not a pass", async () => {
  const nothing = ["team: x", "user: x", "space: x", "collection: x", "below: x", "site: x"];
  const rules = nothing.map((name, index) => {
    const [who, what] = index < 2 ? [`{ ${name} }`, "everything"] : ["guests", `{ ${name} }`];
    return `- { rule: ${index}a, who: ${who}, what: ${what}, how: none }\n`;
  });
  const file = rulesFile(`rules:\n${rules.join("")}`);
  const { status, stdout, stderr } = await rolebook(["check", file], environment);
  const kinds = ["team", "member", "space", "collection", "collection", "site"];
  const says = kinds.map(
    (kind, index) =>
      `${file}, line ${index + 2}: "${index}a" cannot be checked: There is no ${kind} "x" in organization acme.\n`,
  );
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: says.join("") });
});

test("checks the past, with the exceptions of that day", async () => {
  const rules = (until: string) =>
    rulesFile(
      `rules: [{ rule: R, who: guests, what: organization, how: none, except: [{ who: guests, until: ${until}, reason: x }] }]`,
    );
  const today = new Date().toISOString().slice(0, 10);
  for (const at of [[], ["--at", today], ["--at", "1"], ["--at", new Date().toISOString()]]) {
    expect([at, await rolebook(["check", rules(today), ...at], environment)]).toMatchObject([
      at,
      { status: 0 },
    ]);
    expect([at, await rolebook(["check", rules("2026-01-01"), ...at], environment)]).toMatchObject([
      at,
      { status: 1 },
    ]);
  }
  const none = await rolebook(["check", rules(today), "--at", "2001-01-01"], environment);
  expect(none).toMatchObject({ status: 1, stdout: "" });
  expect(none.stderr).toMatch(/^There is no revision "2001-01-01" that can be read/);
});

test("lists at most the given number of breaches, and counts all", async () => {
  const file = rulesFile("rules: [{ rule: Nobody, what: everything, how: none }]");
  const { status, stdout, stderr } = await rolebook(["check", file, "--limit", "3"], environment);
  const all = await rolebook(["check", file, "--limit", "100000", "--format", "ndjson"], environment);
  const breaches = all.stdout.match(/"object":"breach"/g)?.length ?? 0;
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `1 of 1 rules broken, 0 kept: ${breaches} breaches. 3 are listed; --limit lists more.\n`,
  });
  expect(stdout.split("\n")[5]).toBe("result  breaches  contents  rule");
});

test.each([
  [["check", "not-there.yaml"], 2, "The rules file not-there.yaml cannot be read: there is no such file.\n"],
  [
    ["check", "examples/rules.yaml", "--limit", "0"],
    2,
    '--limit is "0"; accepted: a whole number from 1 to 100000.\n',
  ],
  [["check", "examples/rules.yaml", "--format", "x"], 2, '--format is "x"; accepted: table, csv, ndjson.\n'],
  [["check", "examples"], 2, "The rules file examples cannot be read: it is a folder; accepted: a file.\n"],
  [["import", "examples/acme.ndjson", "--rules", "examples"], 2, "The rules file examples cannot be read"],
  [
    ["check", "examples/rules.yaml", "--database", "sqlite:examples/rules.yaml"],
    1,
    /^The database examples\/rules.yaml is not a database/,
  ],
  [["tidy", "--format", "x"], 2, '--format is "x"; accepted: table, csv, ndjson, changes.\n'],
  [["check", "examples/acme.ndjson"], 2, /^examples\/acme.ndjson, line 2: this is not YAML: /],
])("%j", async (args, status, message) => {
  const ran = await rolebook(args, environment);
  expect(ran).toMatchObject({ status, stdout: "" });
  expect(ran.stderr).toMatch(message);
});
