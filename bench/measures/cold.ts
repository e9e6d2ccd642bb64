/** What pages cost of which nothing is in memory: just after the start. */
import type { Bench } from "../harness/bench.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { ratio } from "../harness/spread.ts";
import type { World } from "../harness/world.ts";

const FIRST = 300;
const CONNECTIONS = 8;
/** How many groups of {@link FIRST} pages make a server warm. */
const WARM = 4;

export async function cold(bench: Bench, put: Put): Promise<void> {
  for (const world of bench.worlds) {
    await first(bench, world, put);
  }
}

async function first(bench: Bench, world: World, put: Put): Promise<void> {
  const drawer = bench.drawerOf(world);
  const [begun, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    const server = await serve(world, { log: bench.log });
    try {
      const groups: number[] = [];
      for (let group = 0; group <= WARM; group++) {
        const paths = bench.lines("cold.txt", drawer.fresh(drawer.anywhere(3), FIRST));
        const before = await server.sample();
        await bench.generator.run({ url: server.url, paths, token: world.token, connections: CONNECTIONS });
        groups.push(((await server.sample()).mainCpu - before.mainCpu) / FIRST);
      }
      begun.push(groups[0] ?? Number.NaN);
      warm.push(groups.at(-1) ?? Number.NaN);
    } finally {
      await server.stop();
    }
  }
  const name = `the first ${FIRST} pages after the start`;
  put(world.size, name, "CPU µs", begun);
  put(world.size, name, "CPU, × warm ones", ratio(begun, warm));
}
