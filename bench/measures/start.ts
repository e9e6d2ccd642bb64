/** The start of a server until its first page, beside `node -e 0`, and its first pages beside later ones. */
import type { Bench } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import { timed } from "../harness/command.ts";
import { SERVER_CORE } from "../harness/cores.ts";
import { LIMIT } from "../harness/draw.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { ratio } from "../harness/spread.ts";
import { urlOf } from "../harness/url.ts";
import type { World } from "../harness/world.ts";

const FIRST = 300;
const CONNECTIONS = 8;
/** How many groups of {@link FIRST} pages make a server warm. */
const WARM = 4;

export async function start(bench: Bench, put: Put): Promise<void> {
  for (const world of bench.worlds) await startOf(bench, world, put);
}

async function startOf(bench: Bench, world: World, put: Put): Promise<void> {
  const drawer = await bench.drawerOf(world);
  const page = urlOf({ endpoint: 3, id: world.marks.ordinaryOpenSpace, limit: LIMIT }, world.revision);
  const [ours, ready, clock, empty]: [number[], number[], number[], number[]] = [[], [], [], []];
  const [begun, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const { cpuSeconds } = await timed({ core: SERVER_CORE }, "-e", "0");
    const begin = performance.now();
    const server = await serve(world, { log: bench.log });
    try {
      const loaded = performance.now() - begin;
      await ask(new URL(page, server.url), world.token);
      const took = performance.now() - begin;
      const { processCpu } = await server.sample();
      const groups: number[] = [];
      for (let group = 0; group <= WARM; group++) {
        const paths = bench.lines("start.txt", drawer.fresh(drawer.anywhere(3), FIRST));
        const before = await server.sample();
        await bench.generator.run({ url: server.url, paths, token: world.token, connections: CONNECTIONS });
        groups.push(((await server.sample()).mainCpu - before.mainCpu) / FIRST);
      }
      // Round 0 fills the file caches.
      if (round === 0) continue;
      ready.push(loaded);
      clock.push(took);
      ours.push(processCpu / 1000);
      empty.push(cpuSeconds * 1000);
      begun.push(groups[0] ?? Number.NaN);
      warm.push(groups.at(-1) ?? Number.NaN);
    } finally {
      await server.stop();
    }
  }
  put(world.size, "a start", "ready, ms", ready);
  put(world.size, "a start", "first page, ms", clock);
  put(world.size, "a start", "CPU until then, ms", ours);
  put(world.size, "a start", "CPU, × `node -e 0`", ratio(ours, empty));
  put(world.size, `the next ${FIRST} pages`, "CPU µs", begun);
  put(world.size, `the next ${FIRST} pages`, "CPU, × warm ones", ratio(begun, warm));
}
