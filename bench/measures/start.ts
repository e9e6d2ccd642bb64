/** The start of a server until its first answer, beside `node -e 0`, and its memory after all that this run asked it. */
import { type Bench, largest } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import { timed } from "../harness/command.ts";
import { SERVER_CORE } from "../harness/cores.ts";
import { LIMIT } from "../harness/draw.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { ratio } from "../harness/spread.ts";
import { urlOf } from "../harness/url.ts";

const MB = 2 ** 20;

export async function start(bench: Bench, put: Put): Promise<void> {
  const world = largest(bench);
  const { rss } = await (await bench.serverOf(world)).sample();
  const page = urlOf({ endpoint: 3, id: world.marks.ordinaryOpenSpace, limit: LIMIT }, world.revision);
  const [ours, clock, empty]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const begin = performance.now();
    const server = await serve(world, { log: bench.log });
    await ask(new URL(page, server.url), world.token);
    const took = performance.now() - begin;
    const { processCpu } = await server.sample();
    await server.stop();
    const { cpuSeconds } = await timed({ core: SERVER_CORE }, "-e", "0");
    // Round 0 fills the file caches.
    if (round === 0) continue;
    clock.push(took);
    ours.push(processCpu / 1000);
    empty.push(cpuSeconds * 1000);
  }
  put(world.size, "a start", "first page, ms", clock);
  put(world.size, "a start", "CPU until then, ms", ours);
  put(world.size, "a start", "CPU, × `node -e 0`", ratio(ours, empty));
  put(world.size, "a start", "memory after this run, MB", rss / MB);
}
