/** The commands print what docs/reports.md shows. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { SHEET_COLUMNS } from "../../src/operations/csv.ts";
import { rolebook } from "../command.ts";
import { textOf } from "../examples/acme.ts";
import { fenced } from "./reading/fence.ts";
import { tableHeaded } from "./reading/table.ts";
import { readReport } from "../store/read-report.ts";
import { temporaryFolder } from "../folder.ts";

const doc = textOf("docs/reports.md");
const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };

beforeAll(async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
});

test("why prints what the page shows", async () => {
  const [command = ""] = fenced(doc, "sh");
  const { stdout } = await rolebook(command.trim().split(" ").slice(1), environment);
  expect(stdout).toBe(fenced(doc, "")[0]);
});

test("a report has the lines and columns of the page, and the page's command computes its hash", async () => {
  const { stdout } = await rolebook(["report"], environment);
  const file = join(folder, "review.csv");
  writeFileSync(file, stdout);
  const { head } = readReport(Buffer.from(stdout));
  const lines = tableHeaded(doc, "Line", "Contains").map(([, holds = ""]) => /`([^`]+)`/.exec(holds)?.[1]);
  expect(lines.slice(0, head.size)).toEqual([...head.keys()]);

  const columns = tableHeaded(doc, "Column", "Contains").flatMap(([names = ""]) => names.match(/\w+/g) ?? []);
  expect(columns).toEqual([...SHEET_COLUMNS]);

  const command = fenced(doc, "sh").find((block) => block.includes("sha256sum")) ?? "";
  const found = execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
  expect(found.split(" ")[0]).toBe(head.get("sha256")?.[0]);
});

test("the page names every option of a report", async () => {
  const { stdout } = await rolebook(["report", "--help"]);
  const there = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name = ""]) => name);
  expect(there.length).toBeGreaterThan(10);
  const [, section = ""] = doc.split("\n## Access review\n");
  const elsewhere = ["--organization", "--database", "--help"];
  expect(there.filter((name) => !section.includes(`\`${name}`)).sort()).toEqual(elsewhere.sort());
});
