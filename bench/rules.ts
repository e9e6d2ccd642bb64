/**
 * Measures a check of 50 rules, compared with counting the roles on every content that the rules name.
 *
 *     node bench/rules.ts [--size L] [--seed 1] [--folder DIR] [--rounds 3]
 *
 * Prints a table. Only reads the database in the folder; generates it if there is none.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ContentKey } from "../src/domain/content.ts";
import { roleCounts } from "../src/explorer/queries/lists/role-counts.ts";
import { resolveRules } from "../src/review/check/resolve.ts";
import { evaluate } from "../src/review/check/evaluate.ts";
import { breachLines } from "../src/review/check/lines.ts";
import { inAnyOf } from "../src/review/check/scope.ts";
import { readRules } from "../src/review/rules/read.ts";
import { openEngine } from "../src/store/engine/open.ts";
import { onContent } from "../src/store/listings/access-query/subject.ts";
import type { Reading } from "../src/store/reading.ts";
import { Store } from "../src/store/store.ts";
import { landmarks } from "./data.ts";
import { ORGANIZATION } from "./data/identity.ts";
import { parseSize } from "./data/sizes.ts";
import { fiftyRules } from "./rules/fifty.ts";
import { spread } from "./figures/spread.ts";
import { few, markdown } from "./work/section.ts";
import { makeWorld } from "./work/world.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "L" },
    seed: { type: "string", default: "1" },
    folder: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});

/** The number of breaches that `rolebook check` lists per rule. */
const LISTED = 100;
const DAY = "2026-01-01";

const size = parseSize(values.size);
const seed = Number(values.seed);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "bench-rules-"));
mkdirSync(folder, { recursive: true });
const path = join(folder, `${size}-${seed}.db`);
if (!existsSync(path)) await makeWorld(size, seed, folder);
const rules = readRules(JSON.stringify({ rules: fiftyRules(landmarks(size, seed)) }), "the rules");

/** Runs `work` on a newly opened database, so that nothing is cached. */
async function timed<T>(work: (reading: Reading) => Promise<T>): Promise<{ ms: number; found: T }> {
  const engine = await openEngine(`sqlite:${path}`);
  try {
    const store = new Store(engine);
    const organization = await store.registry.organization(ORGANIZATION);
    if (organization === undefined)
      throw new Error(`${path} does not hold the organization ${ORGANIZATION}.`);
    const reading = store.reading(organization.current);
    const begun = performance.now();
    const found = await work(reading);
    return { ms: performance.now() - begun, found };
  } finally {
    await engine.close();
  }
}

async function named(reading: Reading): Promise<ContentKey[]> {
  const { resolved, unresolved } = await resolveRules(reading, rules, DAY);
  if (unresolved.length > 0) throw new Error(unresolved.map(({ problem }) => problem).join("\n"));
  return inAnyOf(resolved.flatMap(({ scope }) => scope ?? [])) ?? [];
}

async function check(reading: Reading): Promise<number> {
  const verdicts = await evaluate(reading, await resolveRules(reading, rules, DAY), LISTED);
  for (const verdict of verdicts) await breachLines(reading, verdict);
  return verdicts.reduce((sum, { breaches }) => sum + breaches, 0);
}

async function count(reading: Reading, keys: readonly ContentKey[]): Promise<void> {
  for (const key of keys) {
    const query = await onContent(reading, key);
    if (query === undefined) throw new Error(`${key} is not there.`);
    await roleCounts(reading, key, query);
  }
}

const { found: keys } = await timed(named);
const rounds: { checked: number; counted: number; breaches: number }[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const counted = await timed((reading) => count(reading, keys));
  const checked = await timed(check);
  rounds.push({ checked: checked.ms, counted: counted.ms, breaches: checked.found });
}
const seconds = (of: (round: (typeof rounds)[number]) => number) => few(spread(rounds.map(of)));
console.log(
  markdown([
    ["size", "rules", "contents named", "breaches", "check, s", "role counts, s", "check : role counts"],
    [
      size,
      String(rules.length),
      keys.length.toLocaleString("en"),
      (rounds[0]?.breaches ?? 0).toLocaleString("en"),
      seconds(({ checked }) => checked / 1000),
      seconds(({ counted }) => counted / 1000),
      seconds(({ checked, counted }) => checked / counted),
    ],
  ]),
);
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
