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
import { parseSize } from "./data/sizes.ts";
import { openBench } from "./harness/bench.ts";
import { capture, responsesIn } from "./harness/capture.ts";
import { costs } from "./harness/cost.ts";
import { serve } from "./harness/rolebook.ts";
import { startLimit } from "./harness/server.ts";
import { few, percentile, ratio, show, spread } from "./harness/spread.ts";
import { ENDPOINTS, nameOf } from "./harness/url.ts";
import { fullestPage } from "./measures/endpoints.ts";
import { markdown } from "./report/markdown.ts";

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
const bench = await openBench({ folder, sizes: [parseSize(values.size)], seed: 1, rounds, pages });
const [world] = bench.worlds;
const drawer = await bench.drawerOf(world);
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

const figures = ["CPU µs before", "now", "now by before", "× the limit's"];
const rows = [
  ["endpoint", ...figures, ...figures.map((each, index) => (index === 0 ? `quietest tenth: ${each}` : each))],
];
try {
  for (const endpoint of ENDPOINTS.filter((each) => values.only.split(",").includes(String(each)))) {
    const draw = drawer.anywhere(endpoint);
    const same = again ? fullestPage(world, drawer.directory, endpoint) : undefined;
    const next = () => (same === undefined ? drawer.fresh(draw, pages) : Array<string>(pages).fill(same));
    const file = join(folder, "beside.json");
    const sample = next().slice(0, SAMPLE);
    await capture(old.url, sample, world.token, file);
    const answered = responsesIn(file);
    await capture(own.url, sample, world.token, file);
    const differing = responsesIn(file).findIndex(
      ({ body }, place) => bare(body) !== bare(answered[place]?.body),
    );
    if (differing >= 0) throw new Error(`The two builds answer ${sample[differing]} differently.`);
    const limit = await startLimit(file);
    // All three servers get the same pages in a round.
    let drawn: readonly string[] = [];
    const first = () => (drawn = next());
    const [limits = [], was = [], is = []] = (
      await costs(bench, [
        { server: limit, token: world.token, next: first },
        { server: old, token: world.token, next: () => drawn },
        { server: own, token: world.token, next: () => drawn },
      ])
    ).map(({ main }) => main);
    await limit.stop();
    rows.push([
      nameOf(endpoint),
      few(spread(was).median),
      few(spread(is).median),
      show(spread(ratio(is, was))),
      show(spread(ratio(is, limits))),
      ...quietest(limits, was, is),
    ]);
    console.error(rows.at(-1)?.join("  "));
  }
  console.log(markdown(rows));
} finally {
  await old.stop();
  await own.stop();
  await bench.close();
}
