/** Runs the review of docs/reviews.md as printed, from the first rule to the sign-off. */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Papa from "papaparse";
import { beforeAll, expect, test } from "vitest";
import { MAIN } from "../command.ts";
import { textOf } from "../examples/acme.ts";
import { fencedUnder } from "../docs/reading/fence.ts";
import { newContext } from "../parts/browser.ts";
import { temporaryFolder } from "../folder.ts";
import { HANG } from "../setup/hang.ts";

const doc = textOf("docs/reviews.md");
const shown = (language: string) =>
  fencedUnder(doc, "A review, from the first rule to the sign-off", language);
const folder = temporaryFolder();
const fileOf = (name: string) => join(folder, name);
/** The output of each command block of the page, in order. */
const printed: string[] = [];

beforeAll(() => {
  copyFileSync("examples/acme.ndjson", fileOf("acme.ndjson"));
  writeFileSync(fileOf("rules.yaml"), shown("yaml")[0] ?? "");
  writeFileSync(fileOf("agency.ndjson"), shown("json")[0] ?? "");
  for (const commands of shown("sh")) {
    printed.push(run(commands));
    if (commands.includes("> review.csv")) decide(shown("csv")[0] ?? "");
  }
});

/** Runs printed commands in a separate folder. Returns their standard output. */
function run(commands: string): string {
  const program = `rolebook() { "${process.execPath}" "${MAIN}" "$@"; }\n`;
  const { stdout } = spawnSync("bash", ["-c", program + commands], {
    cwd: folder,
    encoding: "utf8",
    timeout: HANG,
    env: { ...process.env, ROLEBOOK_DATABASE_URL: `sqlite:${fileOf("rolebook.db")}` },
  });
  return stdout;
}

/** Fills in the decisions that the page shows, as a spreadsheet does. */
function decide(csv: string): void {
  const { data: decisions } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
  const { data } = Papa.parse<string[]>(readFileSync(fileOf("review.csv"), "utf8"), { skipEmptyLines: true });
  let filled = 0;
  for (const row of data) {
    const found = decisions.find(({ content, user }) => content === row[1] && user === row[4]);
    if (found === undefined) continue;
    row.splice(11, 2, found.decision ?? "", found.comment ?? "");
    filled++;
  }
  expect(filled).toBe(decisions.length);
  writeFileSync(fileOf("review.csv"), Papa.unparse(data));
}

/** Replaces times, which differ in each run. */
function timeless(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}

test("every command prints what the page shows", () => {
  // Commands that import or apply files print tables above the output that the page shows.
  const answers = printed.map(timeless);
  const blocks = shown("").map(timeless);
  expect(blocks.length).toBeGreaterThan(3);
  let from = 0;
  for (const block of blocks) {
    const place = answers.findIndex((answer, index) => index >= from && answer.endsWith(block));
    expect(place < 0 ? answers.slice(from).join("\n") : block).toBe(block);
    from = place + 1;
  }
});

test("every figure of the summary equals what its command counts", () => {
  run('rolebook review review.csv --summary figures.csv --by "Ana Lima"');
  const { data } = Papa.parse<string[]>(readFileSync(fileOf("figures.csv"), "utf8"), {
    skipEmptyLines: true,
  });
  const start = data.findIndex(([name]) => name === "figure") + 1;
  const facts = new Map(data.slice(1, start - 1).map(([name = "", ...values]) => [name, values]));
  expect(facts.get("signed off by")?.[0]).toBe("Ana Lima");
  expect(facts.get("report of revision")?.[0]).toBe("1");
  expect(facts.get("looked at in revision")?.[0]).toBe("3");
  expect([run("sha256sum review.csv").slice(0, 64)]).toEqual(facts.get("SHA-256 of the file"));
  const figures = data
    .slice(start)
    .map(([words = "", rows = "", command = ""]) => ({ words, rows, command }));
  expect(figures.length).toBeGreaterThan(15);
  // Of the commands whose number of rows is 0, every eighth is run.
  const some = figures.filter(({ rows }, index) => rows !== "0" || index % 8 === 0);
  const counted = run(some.map(({ command }) => command).join("\n"));
  expect(counted.trim().split(/\s+/)).toEqual(some.map(({ rows }) => rows));
  const of = (words: string) => figures.find((figure) => figure.words === words)?.rows;
  expect([
    of("to be removed"),
    of("to be removed, removed since"),
    of("asked"),
    of("open, removed since"),
  ]).toEqual(["3", "3", "1", "8"]);
});

test("the summary is one printed page, loads nothing, and has the same figures", async () => {
  const html = readFileSync(fileOf("review.html"), "utf8");
  expect(html).not.toMatch(/<script|<link|src=|url\(/i);
  const context = await newContext();
  const page = await context.newPage();
  try {
    await page.setContent(html);
    expect(await page.title()).toBe("Access review of Acme");
    expect(await page.locator("tr", { hasText: "to be removed, removed since" }).innerText()).toMatch(
      /\b3\b/,
    );
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
    expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  } finally {
    await context.close();
  }
});
