/** What pages cost of which nothing is in memory: just after the start, and of a chunk. */
import { openEngine } from "../../src/store/engine/open.ts";
import { loadChunk } from "../../src/store/memory/chunk.ts";
import { universeIndex } from "../../src/store/memory/universe.ts";
import { MEMBERS } from "../../src/store/schema/set-names.ts";
import type { Reading } from "../../src/store/reading.ts";
import { Store } from "../../src/store/store.ts";
import { ORGANIZATION } from "../data/identity.ts";
import type { Bench } from "../harness/bench.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { percentile, ratio } from "../harness/spread.ts";
import type { World } from "../harness/world.ts";

const FIRST = 300;
const CONNECTIONS = 8;
/** How many groups of {@link FIRST} pages make a server warm. */
const WARM = 4;
/** V8 compiles what loads chunks meanwhile. */
const UNCOUNTED = 20;

export async function cold(bench: Bench, put: Put): Promise<void> {
  for (const world of bench.worlds) {
    await first(bench, world, put);
    const engine = await openEngine(world.url);
    try {
      const store = new Store(engine);
      const organization = await store.registry.organization(ORGANIZATION);
      if (organization === undefined) throw new Error(`${world.url} has no organization ${ORGANIZATION}.`);
      await chunks(store.reading(organization.current), world, put);
    } finally {
      await engine.close();
    }
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

async function chunks(reading: Reading, { size }: World, put: Put): Promise<void> {
  const index = await universeIndex(reading, MEMBERS);
  const times: number[] = [];
  for (const number of index.chunks) {
    const before = process.threadCpuUsage();
    await loadChunk(reading, MEMBERS, index, number);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
  }
  const counted = times.length > 2 * UNCOUNTED ? times.slice(UNCOUNTED) : times;
  put(size, "a chunk that is not in memory", "CPU ms", counted);
  put(size, "a chunk that is not in memory", "CPU ms, 95th percentile", percentile(counted, 95));
}
