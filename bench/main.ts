/**
 * The benchmark: `npm run bench`, or
 *
 *     node bench/main.ts [--sizes S,M,L] [--only 1,2] [--rounds 3] [--seconds 1.5] [--seed 1] [--quick]
 *                        [--folder DIR] [--out FILE] [--amend]
 *
 * bench/README.md says how to read the result.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseSize } from "./data/sizes.ts";
import { startGenerator } from "./load/generator.ts";
import { again } from "./goals/again.ts";
import { type Bench, openBench } from "./work/bench.ts";
import { amended, documentOf, load } from "./work/document.ts";
import { flat } from "./goals/flat.ts";
import { fresh } from "./goals/fresh.ts";
import { hard } from "./goals/hard.ts";
import { importing } from "./goals/importing.ts";
import { layers } from "./goals/layers.ts";
import type { Section } from "./work/section.ts";
import { start } from "./goals/start.ts";
import { walk } from "./goals/walk.ts";
import { workers } from "./goals/workers.ts";
import { makeWorld, type World } from "./work/world.ts";

/**
 * In the order of the run. The import changes the current revision, so it comes late; the last goal measures memory
 * after the whole run.
 */
const GOALS: readonly (readonly [number: string, measure: (bench: Bench) => Promise<Section>])[] = [
  ["1", again],
  ["2", fresh],
  ["3", flat],
  ["4", hard],
  ["5", walk],
  ["8", layers],
  ["9", workers],
  ["6", importing],
  ["7", start],
];
const DOCUMENT = fileURLToPath(new URL("../docs/performance.md", import.meta.url));

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "S,M,L" },
    only: { type: "string", default: GOALS.map(([number]) => number).join() },
    rounds: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    quick: { type: "boolean", default: false },
    folder: { type: "string" },
    out: { type: "string" },
    amend: { type: "boolean", default: false },
  },
});

const begin = performance.now();
const before = load();
const note = (text: string): void => {
  process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
};
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "bench-"));
mkdirSync(folder, { recursive: true });
const failures: string[] = [];
const sections: Section[] = [];
const generator = startGenerator();
try {
  const worlds: World[] = [];
  for (const text of values.sizes.split(",")) {
    const world = await makeWorld(parseSize(text), Number(values.seed), folder);
    note(
      `${world.size} ${world.imported === undefined ? "was there" : `imported in ${world.imported.seconds.toFixed(1)} s`}`,
    );
    worlds.push(world);
  }
  const { quick } = values;
  const bench = openBench({
    folder,
    worlds,
    generator,
    timing: {
      rounds: Number(values.rounds ?? (quick ? 1 : 3)),
      seconds: Number(values.seconds ?? (quick ? 1 : 1.5)),
      warmSeconds: quick ? 0.1 : 0.3,
      connections: 16,
    },
    batch: quick ? 60 : 400,
    quick,
    note,
  });
  try {
    const wanted = values.only.split(",");
    for (const [number, measure] of GOALS) {
      if (!wanted.includes(number)) continue;
      try {
        const section = await measure(bench);
        sections.push(section);
        failures.push(...(section.failures ?? []));
      } catch (error) {
        // A failure does not stop the other goals; it fails the run at its end.
        failures.push(`goal ${number}: ${error instanceof Error ? error.message : String(error)}`);
        note(error instanceof Error ? (error.stack ?? error.message) : String(error));
        process.exitCode = 1;
      }
    }
    const command = ["npm run bench --", ...process.argv.slice(2)].join(" ").replace(/ --$/, "");
    const minutes = (performance.now() - begin) / 60_000;
    const document = documentOf(bench, sections, { command, load: before, minutes, failures });
    // Only a whole run on L (1,000,000 members) replaces the document.
    if (failures.length > 0) process.exitCode = 1;
    const whole = bench.largest.size === "L" && !quick && sections.length === GOALS.length;
    const out = values.out ?? (whole || values.amend ? DOCUMENT : undefined);
    if (out === undefined) console.log(document);
    else if (values.amend) writeFileSync(out, sections.reduce(amended, readFileSync(DOCUMENT, "utf8")));
    else writeFileSync(out, document);
    note(out === undefined ? "done" : `done, written to ${out}`);
  } finally {
    await bench.close();
  }
} finally {
  generator.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
