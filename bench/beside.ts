/**
 * Measures what a change of the program gains over HTTP: sends the same requests in turn to this build and to another
 * one.
 *
 *     node bench/beside.ts --before CHECKOUT --folder DIR [--size L] [--only 1,2] [--again] [--log]
 *                          [--pages 300] [--rounds 15]
 *
 * CHECKOUT is another checkout, built; DIR has the databases of the benchmark. Without `--again`, no page is requested
 * twice. Both builds must send equal answers. In each round, both servers send the same number of pages; the figure is
 * the CPU of the server's main thread per page. Other work on the machine can only increase it. On a busy machine, use
 * many short rounds (`--pages 500 --rounds 60`) and read the quietest tenth of them.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./server/capture.ts";
import { parseSize } from "./data/sizes.ts";
import { startGenerator } from "./load/generator.ts";
import { serve } from "./server/rolebook.ts";
import { type Server, startLimit } from "./server/server.ts";
import { percentile, spread } from "./figures/spread.ts";
import { fullestPage } from "./goals/again.ts";
import { openBench } from "./work/bench.ts";
import { ratio } from "./work/cost.ts";
import { responsesOf } from "./work/responses.ts";
import { few, markdown } from "./work/section.ts";
import { ENDPOINTS, nameOf } from "./work/url.ts";
import { makeWorld } from "./work/world.ts";

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    folder: { type: "string" },
    size: { type: "string", default: "L" },
    only: { type: "string", default: ENDPOINTS.join() },
    again: { type: "boolean", default: false },
    log: { type: "boolean", default: false },
    pages: { type: "string", default: "300" },
    rounds: { type: "string", default: "15" },
  },
});
const { before, folder, again } = values;
if (before === undefined || folder === undefined)
  throw new Error("--before names another checkout, --folder the databases.");
const [pages, rounds] = [Number(values.pages), Number(values.rounds)];

const world = await makeWorld(parseSize(values.size), 1, folder);
const generator = startGenerator();
const timing = { rounds, seconds: 600, warmSeconds: 0, connections: 8 };
const bench = openBench({
  folder,
  worlds: [world],
  generator,
  timing,
  batch: pages,
  quick: false,
  note: () => {},
});
const drawer = bench.drawerOf(world);
const log = values.log
  ? { env: { ROLEBOOK_LOG_LEVEL: "info" }, log: join(folder, "beside.log") }
  : { log: bench.log };
const old = await serve(world, { ...log, main: join(before, "bin/rolebook.js") });
const own = await serve(world, log);

/** The number of pages that are compared, and that the limit server sends in turn. */
const SAMPLE = 100;

function bare(body = ""): string {
  return body.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");
}

/** The costs in the quietest tenth of the rounds. */
function quietest(...all: readonly number[][]): string[] {
  const [limit = 0, was = 0, is = 0] = all.map((each) => percentile(each, 10));
  return [was.toFixed(1), is.toFixed(1), (is / was).toFixed(2), (is / limit).toFixed(2)];
}

async function cost(server: Server, paths: string): Promise<number> {
  const begin = await server.sample();
  const order = { ...timing, url: server.url, paths, from: 0, repeat: false, token: world.token };
  await generator.run(order, async () => {});
  return ((await server.sample()).mainCpu - begin.mainCpu) / pages;
}

const rows = [
  [
    "endpoint",
    "CPU µs before",
    "now",
    "now by before",
    "× the limit's",
    "quietest tenth: before",
    "now",
    "now by before",
    "× the limit's",
  ],
];
try {
  for (const endpoint of ENDPOINTS.filter((each) => values.only.split(",").includes(String(each)))) {
    const draw = drawer.anywhere(endpoint);
    const [same] = again ? [fullestPage(bench, endpoint)] : [];
    const next = () => (same === undefined ? drawer.fresh(draw, pages) : Array<string>(pages).fill(same));
    const file = join(folder, "beside.json");
    const sample = next().slice(0, SAMPLE);
    await capture(old.url, sample, world.token, file);
    const answered = responsesOf(file);
    await capture(own.url, sample, world.token, file);
    const differing = responsesOf(file).findIndex(
      ({ body }, place) => bare(body) !== bare(answered[place]?.body),
    );
    if (differing >= 0) throw new Error(`The two builds answer ${sample[differing]} differently.`);
    const limit = await startLimit(file);
    const took = new Map<Server, number[]>([limit, old, own].map((server) => [server, []]));
    // V8 compiles the code in the first two rounds.
    for (let round = -2; round < rounds; round++) {
      const paths = bench.lines(`beside-${endpoint}-${round}.txt`, next());
      for (const [server, all] of took) {
        const each = await cost(server, paths);
        if (round >= 0) all.push(each);
      }
    }
    await limit.stop();
    const [limits = [], was = [], is = []] = [...took.values()];
    rows.push([
      nameOf(endpoint),
      few(spread(was)),
      few(spread(is)),
      few(ratio(is, was)),
      few(ratio(is, limits)),
      ...quietest(limits, was, is),
    ]);
    console.error(rows.at(-1)?.join("  "));
  }
  console.log(markdown(rows));
} finally {
  await old.stop();
  await own.stop();
  await bench.close();
  generator.stop();
}
