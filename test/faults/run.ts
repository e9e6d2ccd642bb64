/**
 * Applies each seeded fault of this folder to a copy of the last commit, and expects its test to fail with its message.
 * A fault counts as missed if its patch does not apply, or if its test does not exist, also fails without the fault, or
 * ends in another way (a timeout, a program that does not start).
 *
 *     node test/faults/run.ts [WORD…] [--sample N] [--after-tests]
 *
 * WORD selects faults whose names contain a word. `--sample N` selects about N faults, others for each commit. With
 * `--after-tests`, the tests are not run without a fault first, because all tests have just passed.
 */
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Fault, faults } from "./fault.ts";
import { keyOf, type Outcome, Tree } from "./tree.ts";

/** `caught`, or why the fault counts as missed. */
async function tryFault(tree: Tree, fault: Fault, without: Outcome | undefined): Promise<string> {
  if (!values["after-tests"] && without?.status !== "passed")
    return `without the fault the test is: ${ended(without)}`;
  const against = tree.putIn(fault);
  if (against !== undefined) return `the patch does not apply: ${against}`;
  const outcome = (await tree.run([fault])).get(keyOf(fault));
  tree.takeOut(fault);
  if (outcome?.status !== "failed") return `with the fault the test is: ${ended(outcome)}`;
  return fault.says.test(outcome.said)
    ? "caught"
    : `it fails with other words: ${outcome.said.slice(0, 1000)}`;
}

function ended(outcome: Outcome | undefined): string {
  return outcome === undefined ? "not there" : `${outcome.status} ${outcome.said.slice(0, 1000)}`.trim();
}

/** About `size` faults, evenly spread over their names. The last commit decides which is the first. */
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
const named = faults(positionals);
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
        const verdict = await tryFault(tree, fault, without?.get(keyOf(fault)));
        const seconds = ((Date.now() - started) / 1000).toFixed(0);
        if (verdict === "caught") caught++;
        row(fault.name, verdict === "caught" ? verdict : "MISSED", seconds, `${fault.what}: ${fault.file}`);
        if (verdict !== "caught") console.log(`  ${verdict}`);
      }
    }),
  );
} finally {
  for (const tree of trees) tree.remove();
}
console.log(`${caught} passed, ${chosen.length - caught} failed`);
process.exitCode = caught > 0 && caught === chosen.length ? 0 : 1;
