/**
 * The benchmark: `npm run bench`, or
 *
 *     node bench/main.ts [--only endpoints,pages] [--sizes S,M] [--folder DIR] [--rounds 5] [--pages 300] [--seed 1]
 *                        [--dry]
 *
 * Writes a file of `bench/results` per measure, unless `--dry`; `npm run generate` makes docs/performance.md of them.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseSize } from "./data/sizes.ts";
import { openBench } from "./harness/bench.ts";
import { openResult } from "./harness/result.ts";
import { MEASURES } from "./measures.ts";

/** SpiceDB is installed by `npm run bench:peers` alone, and Citus is not everywhere. */
const USUAL = Object.keys(MEASURES).filter((name) => name !== "spicedb" && name !== "citus");

const { values } = parseArgs({
  options: {
    only: { type: "string", default: USUAL.join() },
    sizes: { type: "string", default: "S,M" },
    folder: { type: "string" },
    rounds: { type: "string", default: "5" },
    pages: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    dry: { type: "boolean", default: false },
  },
});

const wanted = values.only.split(",");
const unknown = wanted.filter((name) => MEASURES[name] === undefined);
if (unknown.length > 0)
  throw new RangeError(`--only is ${unknown.join()}; accepted are ${Object.keys(MEASURES).join(", ")}`);
const begin = performance.now();
const note = (text: string): void => {
  process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
};
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "bench-"));
mkdirSync(folder, { recursive: true });
try {
  const bench = await openBench({
    folder,
    sizes: values.sizes.split(",").map(parseSize),
    seed: Number(values.seed),
    rounds: Number(values.rounds),
    pages: Number(values.pages),
  });
  try {
    for (const [name, measure] of Object.entries(MEASURES)) {
      if (!wanted.includes(name)) continue;
      const result = openResult(name, note);
      try {
        await measure(bench, result.put);
        if (!values.dry) result.write();
      } catch (error) {
        // A failure does not stop the other measures; it fails the run at its end.
        note(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
        process.exitCode = 1;
      }
    }
  } finally {
    await bench.close();
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
