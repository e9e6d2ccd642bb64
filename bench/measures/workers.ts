/** Pages from one process, and from two processes that share the port. */
import { readFileSync } from "node:fs";
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
  const drawer = bench.drawerOf(world);
  const alone = await serve(world, { log: bench.log });
  const several = together(await serve(world, { log: bench.log, workers: WORKERS }));
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

/** A supervisor, whose samples include those of its workers. */
function together(server: Server): Server {
  const pids = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")
    .trim()
    .split(" ")
    .map(Number);
  return {
    ...server,
    async sample() {
      const all = [await server.sample()];
      for (const pid of pids) all.push(await server.sample(pid));
      const [own] = all;
      if (own === undefined) throw new Error("the supervisor has no sample");
      return { ...own, processCpu: all.reduce((sum, { processCpu }) => sum + processCpu, 0) };
    },
  };
}
