/**
 * Puts each seeded fault into a copy of the last commit, and expects its test to fail with its message. A fault counts
 * as missed if its text is not there once, or if its test does not exist, also fails without the fault, or ends in
 * another way (a timeout, a program that does not start).
 *
 *     node test/faults/run.ts [WORD…] [--sample N] [--after-tests]
 *
 * WORD selects faults whose names contain a word. `--sample N` selects about N faults, others for each commit. With
 * `--after-tests`, the tests are not run without a fault first, because all tests have just passed.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { RELEASE_SEED } from "../setup/seed.ts";
import { type Fault, FAULTS, places } from "./faults.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
/** How long a test waits for what a fault may keep from coming, in milliseconds. */
const HANG = 60_000;
const LINKED = ["node_modules", "test/parts/node_modules"];

/** The result of one test. `status` is `passed`, `failed` or another word of vitest. */
interface Outcome {
  readonly status: string;
  /** The messages of the test's failures. */
  readonly said: string;
}

/** The used part of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** A copy of the last commit in its own folder, so that faults never touch the working tree. */
class Tree {
  readonly #folder = mkdtempSync(join(tmpdir(), "rolebook-faults-"));
  readonly #report = join(this.#folder, "report.json");
  /** What the files were before the fault. */
  readonly #before = new Map<string, string>();

  constructor() {
    const commit = execFileSync("git", ["archive", "HEAD"], { cwd: ROOT, maxBuffer: 1 << 30 });
    execFileSync("tar", ["-x", "-C", this.#folder], { input: commit });
    for (const folder of LINKED) symlinkSync(join(ROOT, folder), join(this.#folder, folder));
  }

  /** Returns why the fault cannot be put in. */
  putIn({ edits }: Fault): string | undefined {
    for (const [name, text, replacement] of edits) {
      const file = join(this.#folder, name);
      const source = existsSync(file) ? readFileSync(file, "utf8") : "";
      const [place, ...others] = places(source, text);
      if (place === undefined || others.length > 0) return `not once in ${name}: ${text}`;
      if (!this.#before.has(file)) this.#before.set(file, source);
      writeFileSync(file, source.slice(0, place[0]) + replacement + source.slice(place[1]));
    }
    return undefined;
  }

  takeOut(): void {
    for (const [file, source] of this.#before) writeFileSync(file, source);
    this.#before.clear();
  }

  /** Runs only the tests of some faults. Keyed as the faults name them; tests that did not end are absent. */
  async run(faults: readonly Fault[]): Promise<Map<string, Outcome>> {
    rmSync(this.#report, { force: true });
    const files = new Set(faults.map(({ test }) => test.split(" > ")[0] ?? ""));
    const names = faults.map(({ test }) => RegExp.escape(test.split(" > ").slice(1).join(" > ")));
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const options = ["--config", "test/faults/vitest.config.ts", "-t", `^(${names.join("|")})$`];
    const report = ["--reporter=json", `--outputFile=${this.#report}`];
    const child = spawn(process.execPath, [vitest, "run", ...options, ...report, ...files], {
      cwd: this.#folder,
      env: { TEST_SEED: String(RELEASE_SEED), TEST_HANG: String(HANG), ...process.env },
      timeout: 10 * HANG,
      stdio: "ignore",
    });
    await once(child, "exit");
    // vitest writes no report if the tests took too long.
    if (!existsSync(this.#report)) return new Map();
    const { testResults }: Report = JSON.parse(readFileSync(this.#report, "utf8"));
    return new Map(
      testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ ancestorTitles, title, status, failureMessages }): [string, Outcome] => [
          [name.slice(this.#folder.length + 1), ...ancestorTitles, title].join(" > "),
          { status, said: failureMessages.join("\n") },
        ]),
      ),
    );
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** `caught`, or why the fault counts as missed. */
async function tryFault(tree: Tree, fault: Fault, without: Outcome | undefined): Promise<string> {
  if (!values["after-tests"] && without?.status !== "passed")
    return `without the fault the test is: ${ended(without)}`;
  const against = tree.putIn(fault);
  const outcome = against === undefined ? (await tree.run([fault])).get(fault.test) : undefined;
  tree.takeOut();
  if (against !== undefined) return against;
  if (outcome?.status !== "failed") return `with the fault the test is: ${ended(outcome)}`;
  return fault.says.test(outcome.said)
    ? "caught"
    : `it fails with other words: ${outcome.said.slice(0, 1000)}`;
}

function ended(outcome: Outcome | undefined): string {
  return outcome === undefined ? "not there" : `${outcome.status} ${outcome.said.slice(0, 1000)}`.trim();
}

/** About `size` faults, evenly spread. The last commit decides which is the first. */
function sampleOf(all: readonly Fault[], size: number): readonly Fault[] {
  const step = Math.max(1, Math.round(all.length / size));
  const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" });
  const first = Number.parseInt(commit, 16) % step;
  return all.filter((_, index) => index % step === first);
}

const { values, positionals } = parseArgs({
  options: { sample: { type: "string" }, "after-tests": { type: "boolean", default: false } },
  allowPositionals: true,
});
const named = FAULTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const chosen = values.sample === undefined ? named : sampleOf(named, Number(values.sample));
const longest = Math.max(...chosen.map(({ name }) => name.length));
const row = (name: string, verdict: string, seconds: string, what: string) =>
  console.log(`${name.padEnd(longest)}  ${verdict.padEnd(7)}  ${seconds.padStart(7)}  ${what}`);

const trees = Array.from({ length: Math.min(availableParallelism() + 1, chosen.length) }, () => new Tree());
let caught = 0;
try {
  const without = values["after-tests"] ? new Map<string, Outcome>() : await trees[0]?.run(chosen);
  row("fault", "verdict", "seconds", "what is wrong, and the test that sees it");
  // There is one tree per core, and one more because tests often wait. Each takes the next fault when it is done with
  // one.
  const left = chosen.values();
  await Promise.all(
    trees.map(async (tree) => {
      for (const fault of left) {
        const started = Date.now();
        const verdict = await tryFault(tree, fault, without?.get(fault.test));
        const seconds = ((Date.now() - started) / 1000).toFixed(0);
        if (verdict === "caught") caught++;
        row(fault.name, verdict === "caught" ? verdict : "MISSED", seconds, `${fault.what}: ${fault.test}`);
        if (verdict !== "caught") console.log(`  ${verdict}`);
      }
    }),
  );
} finally {
  for (const tree of trees) tree.remove();
}
console.log(`${caught} passed, ${chosen.length - caught} failed`);
process.exitCode = caught > 0 && caught === chosen.length ? 0 : 1;
