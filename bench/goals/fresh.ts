/** Goal 2: a page never requested before. */
import { join } from "node:path";
import { capture } from "../server/capture.ts";
import { type Timing, compare, measure } from "../figures/measure.ts";
import { serve } from "../server/rolebook.ts";
import { startLimit } from "../server/server.ts";
import { countsAt } from "./again.ts";
import type { Bench } from "../work/bench.ts";
import { countOf } from "../work/cost.ts";
import { type Draw, listed } from "../work/draw.ts";
import { responsesOf } from "../work/responses.ts";
import { type Section, type Verdict, cpuOf, few, worst } from "../work/section.ts";
import { type Endpoint, ENDPOINTS, nameOf } from "../work/url.ts";

/**
 * The number of pages that the limit server sends in turn. They are drawn in the same way as the pages under load, but
 * are other pages.
 */
const SAMPLE = 300;
/** Above the rate of any machine so far: this many pages are drawn per second of the measurement. */
const MOST_A_SECOND = 9000;

/** The endpoints whose lists have many pages; the other lists are mostly short. */
const FULL: ReadonlySet<Endpoint> = new Set([3, 6, 7, 8]);

/** Measures pages of each endpoint, drawn at random, against the limit server. */
export async function fresh(bench: Bench): Promise<Section> {
  const { generator, timing, largest: world } = bench;
  const drawer = bench.drawerOf(world);
  const server = await bench.serverOf(world);
  const direct = drawer.directory.spaces.find(({ id }) => id === world.marks.directSpace);
  if (direct === undefined) throw new Error("the space with many direct permissions is missing");
  const logging = await serve(world, {
    env: { ROLEBOOK_LOG_LEVEL: "info" },
    log: join(bench.folder, "fresh.log"),
  });
  const kinds: { name: string; full: boolean; draw: Draw }[] = ENDPOINTS.map((endpoint) => ({
    name: nameOf(endpoint),
    full: FULL.has(endpoint),
    draw: drawer.anywhere(endpoint),
  }));
  kinds.push({
    full: true,
    name: `${nameOf(1)}, full pages of the space with ${direct.users.toLocaleString("en")} users`,
    draw: (random) => listed(drawer.directory, 1, "space", direct, random),
  });
  const rows = [
    [
      "endpoint",
      "entries",
      "bytes",
      "CPU µs, logs off",
      "limit's CPU µs",
      "CPU, × the limit's",
      "with a log",
      "of the limit's rate",
      "counts",
    ],
  ];
  const off: Verdict[] = [];
  const on: Verdict[] = [];
  const failures: string[] = [];
  for (const [index, { name, full, draw }] of kinds.entries()) {
    const paths = bench.lines(`fresh-${index}.txt`, drawer.fresh(draw, enough(timing)));
    const file = join(bench.folder, `fresh-${index}.json`);
    const sample = drawer.fresh(draw, bench.quick ? 50 : SAMPLE);
    await capture(server.url, sample, world.token, file);
    const limit = await startLimit(file);
    try {
      const target = { paths, token: world.token };
      const [theirs, ours, logged] = await measure(
        generator,
        [
          { ...target, name: "limit", server: limit, repeat: true },
          { ...target, name: "rolebook", server, repeat: false },
          { ...target, name: "rolebook with a log", server: logging, repeat: false },
        ],
        timing,
      );
      if (theirs === undefined || ours === undefined || logged === undefined)
        throw new Error("a target is missing");
      if ([ours, logged].some(({ rounds }) => rounds.some(({ exhausted }) => exhausted)))
        throw new Error(`${name}: not enough pages were drawn`);
      const { ratio, cpuRatio, counts } = compare(ours, theirs);
      const withLog = compare(logged, theirs).cpuRatio;
      const bodies = responsesOf(file).map(({ body }) => body);
      const mean = (size: (body: string) => number): number =>
        bodies.reduce((sum, body) => sum + size(body), 0) / bodies.length;
      // CPU can be compared even if a server was not the bottleneck, so these figures always count.
      const bound = full
        ? { side: "most" as const, value: 8, aim: 4 }
        : { side: "most" as const, value: 4, aim: 2 };
      off.push({ what: name, figure: cpuRatio, bound });
      on.push({ what: name, figure: withLog, bound });
      rows.push([
        name,
        mean(countOf).toFixed(1),
        mean((body) => Buffer.byteLength(body)).toFixed(0),
        cpuOf(ours),
        cpuOf(theirs),
        few(cpuRatio),
        few(withLog),
        few(ratio),
        countsAt(counts, ours.busy.min, theirs.busy.min),
      ]);
      bench.note(`2 ${name}: ${few(cpuRatio)} × the limit's CPU, with a log ${few(withLog)}`);
    } catch (error) {
      // A failure does not stop the other endpoints; it fails the run at its end.
      failures.push(`goal 2, ${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await limit.stop();
    }
  }
  await logging.stop();
  return {
    title: "2. A page never asked for before",
    parts: [
      "Pages are drawn at random: any content, member or site of the organization, from a random entry of its list. No URL is requested twice: if only known pages are drawn, one is requested with a higher `limit`, which is another page to the server. Entries and bytes are means: many lists are shorter than a page. CPU is that of the main thread and, in brackets, of the whole process; the ratio is of the main threads. The goal is at most 4 times the limit's CPU for endpoints whose lists are short, and at most 8 times for full pages.",
      rows,
    ],
    verdicts: [4, 8].flatMap((value) => [told("logs off", off, value), told("access log on", on, value)]),
    failures,
  };
}

/** The worst of the verdicts with the limit `value`. */
function told(when: string, verdicts: readonly Verdict[], value: number): Verdict {
  const found = worst(verdicts.filter(({ bound }) => bound.value === value));
  return { ...found, what: `CPU by the limit's, ${when}, the worst: ${found.what}` };
}

export function enough({ rounds, seconds, warmSeconds }: Timing): number {
  return Math.ceil((rounds + 1) * (seconds + warmSeconds + 0.2) * MOST_A_SECOND);
}
