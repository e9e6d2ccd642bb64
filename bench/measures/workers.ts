/** Pages from one process, and from two processes that share the port. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, largest } from "../harness/bench.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import type { Server } from "../harness/server.ts";
import { ratio } from "../harness/spread.ts";
import { costs } from "../harness/cost.ts";
import { type Endpoint, nameOf } from "../harness/url.ts";

const WORKERS = 2;
/** A list with few entries, and full pages of users and of spaces. */
const ASKED: readonly Endpoint[] = [4, 6, 7];

/** Compares the CPU of a page, that of the supervisor and of all workers included. */
export async function workers(bench: Bench, put: Put): Promise<void> {
  const world = largest(bench);
  const drawer = await bench.drawerOf(world);
  const alone = await serve(world, { log: bench.log });
  const several = await together(await serve(world, { log: bench.log, workers: WORKERS }));
  try {
    for (const endpoint of ASKED) {
      const draw = drawer.anywhere(endpoint);
      const sides = [alone, several].map((server) => ({
        server,
        token: world.token,
        next: () => drawer.fresh(draw, bench.pages * WORKERS),
      }));
      const [one = [], two = []] = (await costs(bench, sides)).map((cost) => cost.process);
      const doubled = one.map((each) => WORKERS * each);
      put(world.size, nameOf(endpoint), "pages a second of two cores, by one core's", ratio(doubled, two));
    }
  } finally {
    await alone.stop();
    await several.stop();
  }
}

/** A server has started when its processes use less CPU in so many milliseconds than so many microseconds. */
const WATCHED = 500;
const IDLE = 5_000;

/** A supervisor, whose samples include those of its workers. Resolves when all of them have started and loaded. */
async function together(server: Server): Promise<Server> {
  const sample = async () => {
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
    const pids = children.trim().split(" ").map(Number);
    if (pids.length < WORKERS) throw new Error(`the supervisor has ${pids.length} workers`);
    const own = await server.sample();
    let { processCpu } = own;
    for (const pid of pids) processCpu += (await server.sample(pid)).processCpu;
    return { ...own, processCpu };
  };
  for (let before = Number.NaN, isIdle = false; !isIdle;) {
    // The probe of a worker that was just started does not answer yet.
    const { processCpu } = await sample().catch(() => ({ processCpu: Number.NaN }));
    isIdle = processCpu - before < IDLE;
    before = processCpu;
    await sleep(WATCHED);
  }
  return { ...server, sample };
}
