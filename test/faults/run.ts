/**
 * Seeded faults: puts each patch of this folder into a copy of the last commit, and expects the test that it names to
 * fail, with the words that it names. A test that fails without the fault too, a patch that no longer applies, and a
 * test that is not there or ends in another way (a time-out, a program that does not start) count as missed.
 * `node test/faults/run.ts WORD…` takes those whose names hold a word.
 */
import { type Fault, faults } from "./fault.ts";
import { keyOf, type Outcome, Tree } from "./tree.ts";

/** `caught`, or why the fault was not shown to be. */
function tryFault(tree: Tree, fault: Fault, without: Outcome | undefined): string {
  if (without?.status !== "passed") return `without the fault the test is: ${ended(without)}`;
  const against = tree.putIn(fault);
  if (against !== undefined) return `the patch does not apply: ${against}`;
  const outcome = tree.run([fault]).get(keyOf(fault));
  tree.takeOut(fault);
  if (outcome?.status !== "failed") return `with the fault the test is: ${ended(outcome)}`;
  return fault.says.test(outcome.said)
    ? "caught"
    : `it fails with other words: ${outcome.said.slice(0, 1000)}`;
}

function ended(outcome: Outcome | undefined): string {
  return outcome === undefined ? "not there" : `${outcome.status} ${outcome.said.slice(0, 1000)}`.trim();
}

const chosen = faults(process.argv.slice(2));
const longest = Math.max(...chosen.map(({ name }) => name.length));
const row = (name: string, verdict: string, seconds: string, what: string) =>
  console.log(`${name.padEnd(longest)}  ${verdict.padEnd(7)}  ${seconds.padStart(7)}  ${what}`);

const tree = new Tree();
let caught = 0;
try {
  const without = tree.run(chosen);
  row("fault", "verdict", "seconds", "what is wrong, and the test that sees it");
  for (const fault of chosen) {
    const started = Date.now();
    const verdict = tryFault(tree, fault, without.get(keyOf(fault)));
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    if (verdict === "caught") caught++;
    row(fault.name, verdict === "caught" ? verdict : "MISSED", seconds, `${fault.what}: ${fault.file}`);
    if (verdict !== "caught") console.log(`  ${verdict}`);
  }
} finally {
  tree.remove();
}
console.log(`${caught} passed, ${chosen.length - caught} failed`);
process.exitCode = caught > 0 && caught === chosen.length ? 0 : 1;
