/** Goal 1: a repeated page. */
import { join } from "node:path";
import { capture } from "../server/capture.ts";
import { compare, measure } from "../figures/measure.ts";
import { serve } from "../server/rolebook.ts";
import { startLimit } from "../server/server.ts";
import type { Bench } from "../work/bench.ts";
import { countOf } from "../work/cost.ts";
import type { Directory, Holding } from "../work/directory.ts";
import { LIMIT } from "../work/draw.ts";
import { responsesOf } from "../work/responses.ts";
import { type Section, type Verdict, cpuOf, few, worst } from "../work/section.ts";
import { ENDPOINTS, nameOf, urlOf, type Endpoint } from "../work/url.ts";
import type { World } from "../work/world.ts";

/** Measures one page of each endpoint against the limit server, with the access log off and on. */
export async function again(bench: Bench): Promise<Section> {
  const { generator, timing, largest: world } = bench;
  const quiet = await bench.serverOf(world);
  const logging = await serve(world, {
    env: { ROLEBOOK_LOG_LEVEL: "info" },
    log: join(bench.folder, "access.log"),
  });
  const rows = [
    [
      "endpoint",
      "entries",
      "bytes",
      "logs off",
      "counts",
      "CPU µs",
      "log and metrics",
      "counts",
      "CPU µs",
      "limit's CPU µs",
    ],
  ];
  const off: Verdict[] = [];
  const on: Verdict[] = [];
  try {
    for (const endpoint of ENDPOINTS) {
      const url = fullestPage(bench, endpoint);
      const paths = bench.lines(`again-${endpoint}.txt`, [url]);
      const file = join(bench.folder, `again-${endpoint}.json`);
      await capture(quiet.url, [url], world.token, file);
      const [response] = responsesOf(file);
      const limit = await startLimit(file);
      try {
        const target = { paths, repeat: true, token: world.token };
        const [theirs, ours, logged] = await measure(
          generator,
          [
            { ...target, name: "limit", server: limit },
            { ...target, name: "rolebook", server: quiet },
            { ...target, name: "rolebook with a log", server: logging },
          ],
          timing,
        );
        if (theirs === undefined || ours === undefined || logged === undefined)
          throw new Error("a target is missing");
        const without = compare(ours, theirs);
        const logOn = compare(logged, theirs);
        const what = nameOf(endpoint);
        const body = response?.body ?? "";
        off.push({
          what,
          figure: without.ratio,
          bound: { side: "least", value: 0.7, aim: 0.8 },
          counts: without.counts,
        });
        on.push({
          what,
          figure: logOn.ratio,
          bound: { side: "least", value: 0.6 },
          counts: logOn.counts,
        });
        rows.push([
          what,
          String(countOf(body)),
          String(Buffer.byteLength(body)),
          few(without.ratio),
          countsAt(without.counts, ours.busy.min, theirs.busy.min),
          cpuOf(ours),
          few(logOn.ratio),
          countsAt(logOn.counts, logged.busy.min, theirs.busy.min),
          cpuOf(logged),
          cpuOf(theirs),
        ]);
        bench.note(`1 ${what}: ${few(without.ratio)}, with a log ${few(logOn.ratio)}`);
      } finally {
        await limit.stop();
      }
    }
  } finally {
    await logging.stop();
  }
  return {
    title: "1. A page asked for again",
    parts: [
      "One page, requested repeatedly, compared with the limit server that sends the same bytes. Metrics are always on, so both columns include them; the access log goes to a file. For each endpoint the page has the most entries up to 50. CPU is that of the main thread and, in brackets, of the whole process.",
      rows,
    ],
    verdicts: [
      { ...worst(off), what: `logs off, the worst endpoint: ${worst(off).what}` },
      { ...worst(on), what: `access log and metrics on, the worst endpoint: ${worst(on).what}` },
    ],
  };
}

/** Formats whether a figure counts, with the least event-loop utilization of both servers. */
export function countsAt(counts: boolean, ours: number, theirs: number): string {
  return `${counts ? "yes" : "no"} (${ours.toFixed(2)}, ${theirs.toFixed(2)})`;
}

function most(list: readonly Holding[], size: (holding: Holding) => number): string {
  return list.toSorted((a, b) => size(b) - size(a))[0]?.id ?? "";
}

/** The URL of the page with the most entries. */
export function fullestPage(bench: Bench, endpoint: Endpoint): string {
  const { largest: world } = bench;
  const { directory } = bench.drawerOf(world);
  return urlOf({ endpoint, id: pageOf(world, directory, endpoint), limit: LIMIT }, world.revision);
}

/** The subject of that page: a special case with a full page, or the subject with the longest list. */
function pageOf({ marks }: World, directory: Directory, endpoint: Endpoint): string {
  const pages: Record<Endpoint, string> = {
    1: marks.directSpace,
    2: marks.manyTeamsSpace,
    3: marks.ordinaryOpenSpace,
    4: most(directory.collections, ({ teams }) => teams),
    5: most(directory.collections, ({ users }) => users),
    6: marks.ordinaryCollection,
    7: marks.ordinaryMember,
    8: marks.openSite,
    9: directory.busiest,
  };
  return pages[endpoint];
}
