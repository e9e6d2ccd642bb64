import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { contentLines } from "./data/content.ts";
import { grantLines } from "./data/grants.ts";
import { landmarks } from "./data/landmarks.ts";
import { layout } from "./data/layout.ts";
import { memberLines, teamLines } from "./data/people.ts";
import { siteLines } from "./data/sites.ts";
import { type Size, parseSize } from "./data/sizes.ts";

export { landmarks };
export type { Landmarks } from "./data/landmarks.ts";
export type { Size } from "./data/sizes.ts";

/**
 * The lines of the snapshot file (docs/snapshot.md) of organization `bench`, without line ends. The same size and
 * seed always give the same lines. Memory stays bounded at every size.
 */
export async function* snapshotLines(size: Size, seed = 1): AsyncGenerator<string> {
  for (const line of lines(size, seed)) yield line;
}

function* lines(size: Size, seed: number): Generator<string> {
  const plan = layout(size, seed);
  yield* memberLines(plan);
  yield* teamLines(plan);
  yield* contentLines(plan);
  yield* siteLines(plan);
  yield* grantLines(plan);
}

/** Writes the snapshot file to `out` with back-pressure, and ends `out`. */
export async function writeSnapshot(size: Size, seed: number, out: NodeJS.WritableStream): Promise<void> {
  await pipeline(blocks(size, seed), out);
}

function* blocks(size: Size, seed: number): Generator<string> {
  let block = "";
  for (const line of lines(size, seed)) {
    block += `${line}\n`;
    if (block.length < 1 << 18) continue;
    yield block;
    block = "";
  }
  yield block;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      size: { type: "string", default: "S" },
      seed: { type: "string", default: "1" },
      landmarks: { type: "boolean", default: false },
    },
  });
  const size = parseSize(values.size);
  const seed = Number(values.seed);
  if (values.landmarks) console.log(JSON.stringify(landmarks(size, seed), null, 2));
  else await writeSnapshot(size, seed, process.stdout);
}
