/** Goal 9: uncached pages from one process, and from two processes that share the port. */
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { spread } from "../figures/spread.ts";
import { LOAD_CORE, moveTo } from "../server/cores.ts";
import { serve } from "../server/rolebook.ts";
import type { Server } from "../server/server.ts";
import type { Bench } from "../work/bench.ts";
import { ratio } from "../work/cost.ts";
import { enough } from "./fresh.ts";
import { type Section, type Verdict, few, worst } from "../work/section.ts";
import { type Endpoint, nameOf } from "../work/url.ts";

const WORKERS = 2;
/** The number of warm-up rounds, in which three processes compile their code. */
const WARM = 2;
/**
 * The priority (`nice`) of the worker that shares its core with the load generator, which must be fast enough for both
 * workers.
 */
const LOW = 10;

/** A list with few entries, and full pages of users and of spaces. */
const ASKED: readonly Endpoint[] = [4, 6, 7];

/** Compares the CPU of a page in a single process with that in one of two workers. */
export async function workers(bench: Bench): Promise<Section> {
  const { generator, timing, largest: world } = bench;
  const drawer = bench.drawerOf(world);
  const options = { log: bench.log, env: { BENCH_COUNT: "1" } };
  const alone = await serve(world, options);
  const several = await serve(world, { ...options, workers: WORKERS });
  const [worker, neighbour = 0] = childrenOf(several.pid);
  moveTo(LOAD_CORE, neighbour);
  setPriority(neighbour, LOW);

  /** The CPU of a page in one process, all threads, in microseconds. For a worker, the supervisor's CPU is added. */
  const cost = async (server: Server, process: number | undefined, paths: string): Promise<number> => {
    const sample = async () => {
      const { processCpu, answers } = await server.sample(process);
      const above = process === undefined ? 0 : (await server.sample()).processCpu;
      return { cpu: processCpu + above, answers };
    };
    const samples: Awaited<ReturnType<typeof sample>>[] = [];
    const order = { ...timing, url: server.url, paths, from: 0, repeat: false, token: world.token };
    await generator.run(order, async () => void samples.push(await sample()));
    const [begin, end] = samples;
    if (begin === undefined || end === undefined) throw new Error("a sample is missing");
    return (end.cpu - begin.cpu) / (end.answers - begin.answers);
  };

  const pages = enough({ ...timing, rounds: 0 });
  const rows = [["endpoint", "CPU µs, one process", "CPU µs, two", "pages a second of CPU, two by one"]];
  const verdicts: Verdict[] = [];
  try {
    for (const endpoint of ASKED) {
      const draw = drawer.anywhere(endpoint);
      const name = nameOf(endpoint);
      const one: number[] = [];
      const two: number[] = [];
      for (let round = -WARM; round < timing.rounds; round++) {
        const paths = (count: number) =>
          bench.lines(`workers-${endpoint}-${count}-${round}.txt`, drawer.fresh(draw, count * pages));
        const ofOne = await cost(alone, undefined, paths(1));
        const ofTwo = await cost(several, worker, paths(WORKERS));
        if (round < 0) continue;
        one.push(ofOne);
        two.push(ofTwo);
      }
      const scale = ratio(
        one.map((each) => WORKERS * each),
        two,
      );
      rows.push([name, few(spread(one)), few(spread(two)), few(scale)]);
      verdicts.push({ what: name, figure: scale, bound: { side: "least", value: 1.8 } });
      bench.note(`9 ${name}: ${few(scale)}`);
    }
  } finally {
    await alone.stop();
    await several.stop();
  }
  return {
    title: "9. Two processes on two cores",
    parts: [
      `Size ${world.size}. \`serve --workers ${WORKERS}\` against one process, pages as in goal 2. CPU is that of the process on the server's core, with all its threads and with the supervisor: first of a process alone, then of one worker while the other one works on the second core. The load needs a part of the second core, so the worker there is not counted. Two cores without the load generator would answer as many pages a second as their CPU allows. So the figure is twice the CPU of a page with one process, divided by the CPU of a page with the counted worker.`,
      rows,
    ],
    verdicts: [{ ...worst(verdicts), what: `the worst: ${worst(verdicts).what}` }],
  };
}

/** The child processes of a process. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}
