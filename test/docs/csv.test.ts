/** docs/csv.md: its files are those of examples/csv, its commands work, and its tables agree with the program. */
import { execFile } from "node:child_process";
import { readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { COLUMNS } from "../../src/connectors/csv/table.ts";
import { rolebook } from "../command.ts";
import { convert, refusal, SMALL } from "../connectors/csv/sheets.ts";
import { textOf } from "../examples/acme.ts";
import { fenced } from "./reading/fence.ts";
import { tableUnder } from "./reading/table.ts";
import { oracle } from "../oracle/oracle.ts";
import { temporaryFolder } from "../folder.ts";
import { HANG } from "../setup/hang.ts";

const doc = textOf("docs/csv.md");
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = temporaryFolder();
const environment = databaseOf("rolebook");

beforeAll(() => {
  symlinkSync(join(root, "examples"), join(folder, "examples"));
  symlinkSync(join(root, "bin"), join(folder, "bin"));
});

function databaseOf(name: string) {
  return { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, `${name}.db`)}` };
}

/** Runs a printed command. Returns its output. Throws if any part of it fails. */
async function printed(command: string, database = environment): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)("bash", ["-o", "pipefail", "-ec", command], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...database },
    timeout: HANG,
  });
  return stdout + stderr;
}

const [small = "", large = "", effective = "", named = "", kept = "", ...others] = fenced(doc, "sh").filter(
  (command) => command.startsWith("node "),
);

test("two files are imported", async () => {
  expect(others).toEqual([]);
  expect(await printed(small)).toMatch(/^space +3 +0 +0$/m);
  const { stdout } = await rolebook(["status"], environment);
  expect(stdout).toContain("northlight");
});

test("six files are imported, with a report", async () => {
  const said = await printed(large, databaseOf("large"));
  expect(said).toMatch(/^space +3 +0 +0$/m);
  expect(said).toContain("Everybody is a member of their teams, nobody an owner.\n");
});

test("after the two files, the guard refuses the six", async () => {
  expect(doc).toContain("2 of 4 closed contents would open");
  await expect(printed(large)).rejects.toThrow("2 of 4 closed contents would open");
});

test("effective roles are imported", async () => {
  expect(await printed(effective, databaseOf("effective"))).toMatch(/^permission +4 /m);
});

test("headings can be mapped, and only its owner can read a file", async () => {
  await printed(named);
  expect(statSync(join(folder, "northlight.ndjson")).mode & 0o777).toBe(0o600);
});

test("ids are kept in a file", async () => {
  await printed(kept);
  expect(readFileSync(join(folder, "ids.csv"), "utf8")).toContain(
    "content,Engineering / Post-mortems,post-mortems\n",
  );
});

test("a producer that fails imports nothing", async () => {
  const broken = small.replace("--default-level closed", "");
  const before = await rolebook(["export", "--organization", "northlight"], environment);
  await expect(printed(broken)).rejects.toThrow("the end record is missing after 0 records");
  expect(await rolebook(["export", "--organization", "northlight"], environment)).toEqual(before);
});

test("shows the files of the example", () => {
  const names = ["people", "access", "content", "teams", "sites", "site-access", "effective", "roles"];
  expect(fenced(doc, "csv")).toEqual(names.map((name) => textOf(`examples/csv/${name}.csv`)));
});

test("the example has the expected meaning", async () => {
  const sheet = (name: string) => textOf(`examples/csv/${name}.csv`);
  const { records } = await convert({
    people: sheet("people"),
    access: [sheet("access"), sheet("site-access")],
    content: sheet("content"),
    teams: sheet("teams"),
    sites: sheet("sites"),
  });
  const answers = oracle(records, { publicUrl: "https://docs.example" });
  const people = [
    "kofi@northlight.example",
    "mei@northlight.example",
    "zanele@northlight.example",
    "jonas@northlight.example",
    "ana.lima@acme.example",
  ];
  const on = (id: string) => people.map((user) => answers.effective("acme", user, { kind: "space", id }));
  expect(on("client-handbook")).toEqual(["admin", "edit", "review", "read", null]);
  expect(on("acme-launch-plan")).toEqual(["admin", "create", null, null, "comment"]);
  expect(on("r-d")).toEqual(["admin", "create", null, null, null]);
});

test("lists the known headings", () => {
  const told = Object.fromEntries(
    tableUnder(doc, "Files and headings").map(([file = "", names = ""]) => [
      file.replaceAll(/[`-]/g, ""),
      Object.fromEntries(
        names.split(" · ").map((name) => {
          const [, field = "", headings = ""] = /^`(\w+)`(?: \*)?: (.*)$/.exec(name) ?? [];
          return [field, headings.split(", ")];
        }),
      ),
    ]),
  );
  const { ids: _, people, ...others } = COLUMNS;
  // The heading of this field is that of --left.
  const { left: _left, ...known } = people;
  const columns = { people: known, ...others };
  const said = JSON.parse(JSON.stringify(told).replaceAll("e-mail", "email"));
  expect(said).toEqual(JSON.parse(JSON.stringify(columns).replaceAll("e-mail", "email")));
});

test("shows an actual error", async () => {
  const [message = ""] = fenced(doc, "text");
  const people = "Name,E-mail,Role\nAna,ana@x.example,edit\nBen,ben@x.example,editor\n";
  expect(await refusal({ ...SMALL, people })).toEqual([message.trimEnd()]);
});
