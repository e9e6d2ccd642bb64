/** Goal 9: pages never requested before, from one process and from two that share the port. */
import { measure } from "../figures/measure.ts";
import { familyCpu } from "../postgres/cpu.ts";
import { serve } from "../server/rolebook.ts";
import type { Server } from "../server/server.ts";
import { spread } from "../figures/spread.ts";
import type { Bench } from "../work/bench.ts";
import { ratio } from "../work/cost.ts";
import { enough } from "./fresh.ts";
import type { Section, Verdict } from "../work/section.ts";
import { few, worst } from "../work/section.ts";
import { type Endpoint, nameOf } from "../work/url.ts";

const WORKERS = 2;

/** A list of few entries, and full pages: by users and by spaces. */
const ASKED: readonly Endpoint[] = [4, 6, 7];

/** Measures the CPU of a page in all processes together. */
export async function workers(bench: Bench): Promise<Section> {
  const { generator, timing, largest: world } = bench;
  const drawer = bench.drawerOf(world);
  const options = { log: bench.log, probed: false, pinned: false };
  const alone = await serve(world, options);
  const several = await serve(world, { ...options, workers: WORKERS });
  const rows = [["endpoint", "CPU µs, one process", "CPU µs, two", "pages a second of CPU, two by one"]];
  const verdicts: Verdict[] = [];
  try {
    for (const endpoint of ASKED) {
      const draw = drawer.anywhere(endpoint);
      const name = nameOf(endpoint);
      const target = (server: Server, count: number) => ({
        name,
        server: { url: server.url, sample: async () => sampleOf(server.pid) },
        paths: bench.lines(`workers-${endpoint}-${count}.txt`, drawer.fresh(draw, count * enough(timing))),
        repeat: false,
        token: world.token,
      });
      const [one, two] = await measure(generator, [target(alone, 1), target(several, WORKERS)], timing);
      if (one === undefined || two === undefined) throw new Error("a target is missing");
      const cpu = [one, two].map(({ rounds }) => rounds.map(({ processCpu }) => processCpu));
      const [ofOne = [], ofTwo = []] = cpu;
      const scale = ratio(
        ofOne.map((each) => WORKERS * each),
        ofTwo,
      );
      rows.push([name, few(spread(ofOne)), few(spread(ofTwo)), few(scale)]);
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
      `Size ${world.size}. \`serve --workers ${WORKERS}\` against one process, pages as in 2. CPU is that of all processes and threads, the supervisor's included. Two cores that are theirs alone answer as many pages a second as their CPU allows: so the figure is twice what a page costs one process, by what it costs two. The load needs a part of these two cores itself, which is why no rate is given.`,
      rows,
    ],
    verdicts: [{ ...worst(verdicts), what: `the worst: ${worst(verdicts).what}` }],
  };
}

/** A sample of several processes for `measure`, with only their CPU. */
function sampleOf(pid: number) {
  const processCpu = familyCpu(pid);
  return { at: performance.now(), idle: 0, active: 0, mainCpu: 0, processCpu, rss: 0, peakRss: 0 };
}
