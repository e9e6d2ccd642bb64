/**
 * Checks the lengths of source files: most below 150 lines, none above 300 without a reason; and that no folder has
 * many more than a dozen of them. Part of `npm run check`.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const SHORT = 150;
const LONGEST = 300;
/** The most source files in a folder: a dozen, and room for a change under way. */
const MOST_FILES = 14;

/** Longer files, and why they are not divided. */
const REASONS: Readonly<Record<string, string>> = {
  "src/store/listings/access.ts":
    "painting: what an access is made of, and how a part of a chunk gets its codes",
  "src/store/memory/chunk.ts": "a chunk in memory: how it is stored, loaded and asked",
  "src/store/memory/documents.ts":
    "the documents of a process: where they lie, when they are written, read and forgotten",
  "src/store/engine/sqlite/engine.ts": "one database file: opened, read, written and imported into",
  "test/hell/errors.test.ts": "every class of error of contract section 8, as one table",
  "test/list/list.test.ts": "every way to call rolebook list, against one server",
};

const root = fileURLToPath(new URL("../", import.meta.url));
const files = globSync("{src,test,bench,scripts,bin}/**/*.{ts,tsx,js,css}", {
  cwd: root,
  exclude: (name) => name.includes("node_modules"),
}).map((name) => ({ name, lines: readFileSync(root + name, "utf8").split("\n").length - 1 }));

const short = files.filter(({ lines }) => lines < SHORT).length;
const share = Math.round((100 * short) / files.length);
console.log(`${files.length} source files, ${short} (${share} %) of them below ${SHORT} lines.`);

const problems: string[] = [];
for (const { name, lines } of files.filter((file) => file.lines > LONGEST)) {
  const reason = REASONS[name];
  console.log(`${name}: ${lines} lines, ${reason ?? "without a reason"}`);
  if (reason === undefined)
    problems.push(`${name} has more than ${LONGEST} lines. Split it, or say why not.`);
}
for (const name of Object.keys(REASONS)) {
  if (!files.some((file) => file.name === name && file.lines > LONGEST))
    problems.push(`${name} needs no reason.`);
}
for (const [folder, { length }] of Map.groupBy(files, ({ name }) => dirname(name))) {
  if (length > MOST_FILES)
    problems.push(`${folder} has ${length} source files, more than ${MOST_FILES}. Divide it.`);
}
if (share < 80) problems.push(`Only ${share} % of the files have less than ${SHORT} lines.`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
