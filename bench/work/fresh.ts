/** Goal 2: a page that was never asked for before. */
import { join } from "node:path";
import { capture } from "../capture.ts";
import type { Timing } from "../measure.ts";
import { compare, measure } from "../measure.ts";
import { startLimit } from "../server.ts";
import { countsAt } from "./again.ts";
import type { Bench } from "./bench.ts";
import { countOf } from "./cost.ts";
import type { Draw } from "./draw.ts";
import { listed } from "./draw.ts";
import { responsesOf } from "./responses.ts";
import type { Section, Verdict } from "./section.ts";
import { few, worst } from "./section.ts";
import { ENDPOINTS, nameOf } from "./url.ts";

/** Pages that the limit server sends in turn: of the same draw, but never asked of the server under load. */
const SAMPLE = 300;
/** More pages a second than the server answers on any machine that this was tried on. */
const MOST_A_SECOND = 9000;

/** Measures drawn pages of each endpoint against the limit. */
export async function fresh(bench: Bench): Promise<Section> {
  const { generator, timing, largest: world } = bench;
  const drawer = bench.drawerOf(world);
  const server = await bench.serverOf(world);
  const crowd = drawer.directory.spaces.find(({ id }) => id === world.marks.crowdSpace);
  if (crowd === undefined) throw new Error("the crowded space is missing");
  const kinds: { name: string; draw: Draw }[] = ENDPOINTS.map((endpoint) => ({
    name: nameOf(endpoint),
    draw: drawer.anywhere(endpoint),
  }));
  kinds.push({
    name: `${nameOf(1)}, full pages of the space with ${crowd.users.toLocaleString("en")} users`,
    draw: (random) => listed(drawer.directory, 1, "space", crowd, random),
  });
  const rows = [
    [
      "endpoint",
      "entries",
      "bytes",
      "of the limit",
      "counts",
      "CPU µs",
      "limit's CPU µs",
      "CPU, × the limit's",
    ],
  ];
  const verdicts: Verdict[] = [];
  const failures: string[] = [];
  for (const [index, { name, draw }] of kinds.entries()) {
    const paths = bench.lines(`fresh-${index}.txt`, drawer.fresh(draw, enough(timing)));
    const file = join(bench.folder, `fresh-${index}.json`);
    const sample = drawer.fresh(draw, bench.quick ? 50 : SAMPLE);
    await capture(server.url, sample, world.token, file);
    const limit = await startLimit(file);
    try {
      const target = { paths, token: world.token };
      const [theirs, ours] = await measure(
        generator,
        [
          { ...target, name: "limit", server: limit, repeat: true },
          { ...target, name: "rolebook", server, repeat: false },
        ],
        timing,
      );
      if (theirs === undefined || ours === undefined) throw new Error("a target is missing");
      if (ours.rounds.some(({ exhausted }) => exhausted))
        throw new Error(`${name}: not enough pages were drawn`);
      const { ratio, cpuRatio, counts } = compare(ours, theirs);
      const bodies = responsesOf(file).map(({ body }) => body);
      const mean = (size: (body: string) => number): number =>
        bodies.reduce((sum, body) => sum + size(body), 0) / bodies.length;
      verdicts.push({ what: name, figure: ratio, bound: { side: "least", value: 0.12, aim: 0.25 }, counts });
      rows.push([
        name,
        mean(countOf).toFixed(1),
        mean((body) => Buffer.byteLength(body)).toFixed(0),
        few(ratio),
        countsAt(counts, ours.busy.min, theirs.busy.min),
        few(ours.mainCpu),
        few(theirs.mainCpu),
        few(cpuRatio),
      ]);
      bench.note(`2 ${name}: ${few(ratio)}`);
    } catch (error) {
      // The other endpoints are worth having all the same; the run fails in the end.
      failures.push(`goal 2, ${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await limit.stop();
    }
  }
  return {
    title: "2. A page never asked for before",
    parts: [
      "Content, members and sites drawn at random over the whole organization, each listing at a random depth, no URL twice. Entries and bytes are means: many lists are shorter than a page. A list that fits one page comes again with a higher `limit`, which is another page to the server.",
      rows,
    ],
    verdicts: [{ ...worst(verdicts), what: `the worst: ${worst(verdicts).what}` }],
    failures,
  };
}

export function enough({ rounds, seconds, warmSeconds }: Timing): number {
  return Math.ceil((rounds + 1) * (seconds + warmSeconds + 0.2) * MOST_A_SECOND);
}
