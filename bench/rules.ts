/**
 * Measures a check of 50 rules, compared with counting the roles on every content that the rules name.
 *
 *     node bench/rules.ts [--size L] [--seed 1] [--folder DIR] [--rounds 3] [--layout "every site"]
 *
 * Prints a table with a row for each layout of rules. Only reads the database in the folder; generates it if there is
 * none.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ContentKey } from "../src/domain/content.ts";
import { roleCounts } from "../src/store/listings/counts.ts";
import { inAnyOf, resolveRules } from "../src/review/resolve.ts";
import { evaluate } from "../src/review/check.ts";
import { breachLines } from "../src/review/breaches.ts";
import { readRules } from "../src/review/read-rules.ts";
import type { Rule } from "../src/review/rule.ts";
import { openEngine } from "../src/store/engine/open.ts";
import { accessOnContent } from "../src/store/listings/subject.ts";
import type { Reading } from "../src/store/reading.ts";
import { Store } from "../src/store/store.ts";
import { type Landmarks, landmarks } from "./data.ts";
import { ORGANIZATION } from "./data/identity.ts";
import { parseSize } from "./data/sizes.ts";
import { RULE_LAYOUTS } from "./rules/layouts.ts";
import { spread } from "./figures/spread.ts";
import { few, markdown } from "./work/section.ts";
import { makeWorld } from "./work/world.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "L" },
    seed: { type: "string", default: "1" },
    folder: { type: "string" },
    rounds: { type: "string", default: "3" },
    layout: { type: "string" },
  },
});

/** The number of breaches that `rolebook check` lists per rule. */
const LISTED = 100;
const DAY = "2026-01-01";
/** Roles are counted on at most this many contents; the time for more is extrapolated. */
const MOST_COUNTED = 500;

const size = parseSize(values.size);
const seed = Number(values.seed);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "bench-rules-"));
mkdirSync(folder, { recursive: true });
const path = join(folder, `${size}-${seed}.db`);
if (!existsSync(path)) await makeWorld(size, seed, folder);
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

async function namedBy(reading: Reading, rules: readonly Rule[]): Promise<ContentKey[]> {
  const { resolved, unresolved } = await resolveRules(reading, rules, DAY);
  if (unresolved.length > 0) throw new Error(unresolved.map(({ problem }) => problem).join("\n"));
  return inAnyOf(resolved.flatMap(({ scope }) => scope ?? [])) ?? [];
}

async function check(reading: Reading, rules: readonly Rule[]): Promise<number> {
  const verdicts = await evaluate(reading, await resolveRules(reading, rules, DAY), LISTED);
  for (const verdict of verdicts) await breachLines(reading, verdict);
  return verdicts.reduce((sum, { breaches }) => sum + breaches, 0);
}

async function count(reading: Reading, keys: readonly ContentKey[]): Promise<void> {
  for (const key of keys) {
    const query = await accessOnContent(reading, key);
    if (query === undefined) throw new Error(`${key} is not there.`);
    await roleCounts(reading, key, query);
  }
}

/** A row of the table. */
async function measure(layout: string, rulesOf: (marks: Landmarks) => object[]): Promise<string[]> {
  const rules = readRules(JSON.stringify({ rules: rulesOf(landmarks(size, seed)) }), layout);
  const { found: keys } = await timed((reading) => namedBy(reading, rules));
  const step = Math.max(1, keys.length / MOST_COUNTED);
  const sample = keys.filter((_, index) => index % step < 1);
  const rounds: { checked: number; counted: number; breaches: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const counted = await timed((reading) => count(reading, sample));
    const checked = await timed((reading) => check(reading, rules));
    rounds.push({
      checked: checked.ms / 1000,
      counted: (counted.ms / 1000) * (keys.length / sample.length),
      breaches: checked.found,
    });
  }
  const spreadOf = (of: (round: (typeof rounds)[number]) => number) => few(spread(rounds.map(of)));
  return [
    size,
    layout,
    String(rules.length),
    keys.length.toLocaleString("en"),
    (rounds[0]?.breaches ?? 0).toLocaleString("en"),
    spreadOf(({ checked }) => checked),
    spreadOf(({ counted }) => counted),
    spreadOf(({ checked, counted }) => checked / counted),
  ];
}

const rows: string[][] = [];
for (const [layout, rulesOf] of Object.entries(RULE_LAYOUTS)) {
  if (values.layout === undefined || values.layout === layout) rows.push(await measure(layout, rulesOf));
}
console.log(
  markdown([
    [
      "size",
      "layout",
      "rules",
      "contents named",
      "breaches",
      "check, s",
      "role counts, s",
      "check : role counts",
    ],
    ...rows,
  ]),
);
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
