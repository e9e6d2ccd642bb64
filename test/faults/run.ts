/**
 * Seeded faults: applies each patch of this folder to a copy of the tree and expects the tests that it names to fail.
 * A patch begins with `# what: <the fault>` and `# fails: <test files or vitest arguments>`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const ROOT = new URL("../..", import.meta.url).pathname;
const FOLDER = new URL(".", import.meta.url).pathname;
const LINKED = ["node_modules", "test/parts/node_modules"];
const LONGEST = 10 * 60_000;

const wanted = process.argv.slice(2);
const patches = readdirSync(FOLDER)
  .filter(
    (name) => name.endsWith(".patch") && (wanted.length === 0 || wanted.some((word) => name.includes(word))),
  )
  .sort();

let missed = 0;
for (const name of patches) {
  const started = Date.now();
  const verdict = tryFault(name);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(
    `${verdict === "caught" ? "caught" : "MISSED"}  ${name}  (${seconds} s)${verdict === "caught" ? "" : `: ${verdict}`}`,
  );
  if (verdict !== "caught") missed++;
}
console.log(`${patches.length - missed} passed, ${missed} failed`);
process.exitCode = missed === 0 && patches.length > 0 ? 0 : 1;

/** `caught`, or why the fault was not shown to be. */
function tryFault(name: string): string {
  const text = readFileSync(join(FOLDER, name), "utf8");
  const fails = /^# fails: (.+)$/m.exec(text)?.[1]?.split(" ");
  if (fails === undefined || !/^# what: .+$/m.test(text))
    return "the patch does not say what it is and what it fails";
  const copy = mkdtempSync(join(tmpdir(), "rolebook-fault-"));
  try {
    cpSync(ROOT, copy, {
      recursive: true,
      filter: (path) => !/\/(node_modules|\.git|dist)$|\.db/.test(path),
    });
    for (const folder of LINKED) symlinkSync(join(ROOT, folder), join(copy, folder));
    const patched = spawnSync("git", ["apply", "-C1", join(FOLDER, name)], { cwd: copy, encoding: "utf8" });
    if (patched.status !== 0) return `the patch does not apply: ${patched.stdout}${patched.stderr}`;
    const run = spawnSync("node", [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...fails], {
      cwd: copy,
      encoding: "utf8",
      timeout: LONGEST,
    });
    const output = stripVTControlCharacters(`${run.stdout}${run.stderr}`);
    if (run.status === 0) return "the tests pass";
    return /\d+ failed/.test(output) && /AssertionError|Property failed|Error:/.test(output)
      ? "caught"
      : `no test failed: ${output.slice(-500)}`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
