/** The time of an uncached page of each endpoint, by layer. */
import { join } from "node:path";
import { capture } from "../server/capture.ts";
import { type Layer, LAYERS } from "../layers/layer.ts";
import { forgetNames } from "../layers/names.ts";
import { hasPerf, NATIVE_FLAGS, nativeSamples, record } from "../layers/native.ts";
import { profile, profiledInto, scriptSamples } from "../layers/script.ts";
import { compare, type Measured, measure } from "../figures/measure.ts";
import { serve } from "../server/rolebook.ts";
import { type Server, startFastify, startLimit } from "../server/server.ts";
import type { Bench } from "../work/bench.ts";
import { enough } from "./fresh.ts";
import { type Section, cpuOf, few } from "../work/section.ts";
import { ENDPOINTS, type Endpoint, nameOf } from "../work/url.ts";

/** The number of pages that the limit servers send in turn. */
const SAMPLE = 300;
/** The load during a profile. The time includes the start of `perf`. */
const PROFILED = { rounds: 1, seconds: 4, warmSeconds: 0.3, connections: 16 };

/** The cost of pages of one endpoint, and the number of samples in each layer. */
interface Cost {
  readonly name: string;
  readonly bare: Measured;
  readonly fastify: Measured;
  readonly page: Measured;
  readonly samples: ReadonlyMap<Layer, number>;
}

/** Measures each endpoint, then profiles it: as JavaScript and, if it is installed, with `perf`. */
export async function layers(bench: Bench): Promise<Section> {
  const native = hasPerf();
  const script = join(bench.folder, "layers.cpuprofile");
  const { flags, env } = profiledInto(script);
  const server = await serve(bench.largest, {
    env,
    flags: [...flags, ...(native ? NATIVE_FLAGS : [])],
    log: bench.log,
  });
  const costs: Cost[] = [];
  try {
    for (const endpoint of ENDPOINTS) {
      const cost = await costOf(bench, server, endpoint, native);
      costs.push(cost);
      bench.note(`8 ${cost.name}: ${few(compare(cost.page, cost.bare).cpuRatio)} × the limit's CPU`);
    }
  } finally {
    await server.stop();
    forgetNames(server.pid);
  }
  return {
    title: "8. Where the time of a page goes",
    parts: [
      `Size ${bench.largest.size}. Pages as in goal 2, on one warm server. CPU is the median of the rounds in µs per page: of the main thread, and in brackets of the whole process with V8's helper threads. This CPU is divided among the layers in proportion to the samples of a profile, taken directly after under the same load: ${native ? "a native one (`perf`)" : "V8's own, because `perf` is not installed"}. A system call belongs to the layer that makes it. The row Fastify is a Fastify server without hooks, which sends the same bytes as the limit.`,
      tableOf(costs),
    ],
    verdicts: [],
  };
}

async function costOf(bench: Bench, server: Server, endpoint: Endpoint, native: boolean): Promise<Cost> {
  const { generator, largest: world } = bench;
  const drawer = bench.drawerOf(world);
  const draw = drawer.anywhere(endpoint);
  const name = nameOf(endpoint);
  const pages = drawer.fresh(draw, enough(bench.timing) + enough(PROFILED));
  const paths = bench.lines(`layers-${endpoint}.txt`, pages);
  const file = join(bench.folder, `layers-${endpoint}.json`);
  await capture(server.url, drawer.fresh(draw, bench.quick ? 50 : SAMPLE), world.token, file);
  const target = { paths, token: world.token, repeat: true };
  const limit = await startLimit(file);
  const framework = await startFastify(file);
  try {
    const [bare, fastify, page] = await measure(
      generator,
      [
        { ...target, name: "limit", server: limit },
        { ...target, name: "Fastify", server: framework },
        { ...target, name, server, repeat: false },
      ],
      bench.timing,
    );
    if (bare === undefined || fastify === undefined || page === undefined)
      throw new Error("a target is missing");
    let from = page.next;
    const profiled = async (begin: () => () => Promise<void>): Promise<void> => {
      let end: (() => Promise<void>) | undefined;
      const order = { ...PROFILED, url: server.url, paths, from, repeat: false, token: world.token };
      const { next } = await generator.run(order, async () => {
        if (end === undefined) end = begin();
        else await end();
      });
      from = next;
    };
    const script = join(bench.folder, "layers.cpuprofile");
    await profiled(() => profile(server.pid, script));
    if (!native) return { name, bare, fastify, page, samples: scriptSamples(script) };
    const recorded = join(bench.folder, "layers.perf");
    await profiled(() => record(server.pid, recorded));
    return { name, bare, fastify, page, samples: await nativeSamples(server.pid, recorded) };
  } finally {
    await limit.stop();
    await framework.stop();
  }
}

/** A table with a column per endpoint. The layers add up to the CPU of the main thread. */
function tableOf(costs: readonly Cost[]): string[][] {
  const row = (what: string, cell: (cost: Cost) => string): string[] => [what, ...costs.map(cell)];
  return [
    row("µs", ({ name }) => name),
    ...LAYERS.map((layer) =>
      row(layer, ({ page, samples }) => {
        const all = samples.values().reduce((sum, each) => sum + each, 0);
        return (((samples.get(layer) ?? 0) / all) * page.mainCpu.median).toFixed(1);
      }),
    ),
    row("**whole**", ({ page }) => cpuOf(page)),
    row("limit", ({ bare }) => cpuOf(bare)),
    row("Fastify", ({ fastify }) => cpuOf(fastify)),
    row("× the limit", ({ page, bare }) => few(compare(page, bare).cpuRatio)),
  ];
}
