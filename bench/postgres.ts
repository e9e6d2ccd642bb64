/**
 * Measures pages on PostgreSQL.
 *
 *     node bench/postgres.ts [--sizes S,M] [--rounds 3] [--seed 1] [--quick] [--folder DIR]
 *
 * Prints a document; bench/README.md says how to read it.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/postgres/server/server.ts";
import { parseSize } from "./data/sizes.ts";
import { startGenerator } from "./load/generator.ts";
import { compare, measure } from "./figures/measure.ts";
import { lookUp } from "./postgres/lookup.ts";
import { importWorld, type PostgresWorld, serveOn } from "./postgres/world.ts";
import { serve } from "./server/rolebook.ts";
import type { Server } from "./server/server.ts";
import { openBench } from "./work/bench.ts";
import { costs, ratio } from "./work/cost.ts";
import { flat } from "./goals/flat.ts";
import { few, judged, markdown, type Section, type Verdict } from "./work/section.ts";
import { ENDPOINTS, nameOf } from "./work/url.ts";
import { makeWorld } from "./work/world.ts";

/** The largest allowed ratio of CPU (server and database) at the largest size to CPU at the smallest. */
const MOST_GROWTH = 2;
/** The least allowed ratio of the rate of cached pages to that on SQLite. */
const LEAST_CACHED = 0.95;
const MOST_CACHED_CPU = 1.05;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "S,M" },
    rounds: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    quick: { type: "boolean", default: false },
    folder: { type: "string" },
  },
});

const folder = values.folder ?? mkdtempSync(join(tmpdir(), "bench-postgres-"));
mkdirSync(folder, { recursive: true });
const begin = performance.now();
const note = (text: string): void => {
  process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
};
const load = loadavg()[0] ?? 0;
const rounds = Number(values.rounds);
const generator = startGenerator();
// 512 MB hold an organization of 50,000 members (M), so that both stores read from memory.
const postgres = await startPostgres({ settings: { shared_buffers: "512MB" } });
const servers: Server[] = [];
try {
  const worlds: PostgresWorld[] = [];
  for (const text of values.sizes.split(",")) {
    const world = await importWorld(postgres, await makeWorld(parseSize(text), Number(values.seed), folder));
    note(
      `${text} imported into PostgreSQL in ${world.importSeconds.toFixed(1)} s: ${(world.bytes / 2 ** 20).toFixed(1)} MiB`,
    );
    worlds.push(world);
  }
  const largest = worlds.at(-1);
  if (largest === undefined) throw new RangeError("no size was asked for");
  const started = new Map<string, Server>();
  for (const each of worlds) {
    const server = await serveOn(postgres, each);
    servers.push(server);
    started.set(each.world.size, server);
  }
  const serverOf = async ({ size }: { size: string }): Promise<Server> => {
    const found = started.get(size);
    if (found === undefined) throw new Error(`no server was started for ${size}`);
    return found;
  };
  const timing = { rounds, seconds: values.quick ? 1 : 1.5, warmSeconds: 0.3, connections: 16 };
  const worldsOf = worlds.map(({ world }) => world);
  const batch = values.quick ? 60 : 400;
  const opened = openBench({
    folder,
    worlds: worldsOf,
    generator,
    timing,
    batch,
    quick: values.quick,
    note,
  });
  const bench = { ...opened, serverOf };
  const sections: Section[] = [];
  try {
    const found = await flat(bench);
    sections.push({ ...found, title: "Flat", verdicts: found.verdicts.map(relaxed) });
    sections.push(await besideLookup());
    sections.push(await remembered());
  } finally {
    await opened.close();
  }
  console.log(
    [
      `PostgreSQL 18, sizes ${values.sizes}, load average ${load.toFixed(2)} when the run began, ${((performance.now() - begin) / 60_000).toFixed(0)} minutes.`,
      markdown([
        ["goal", "figure", "wanted", "result"],
        ...sections.flatMap(({ verdicts }) => verdicts.map(judged)),
      ]),
      ...sections.flatMap(({ title, parts }) => [
        `## ${title}`,
        ...parts.map((part) => (typeof part === "string" ? part : markdown(part))),
      ]),
    ].join("\n\n"),
  );

  /** Compares the cost of a page with that of the smallest possible query. */
  async function besideLookup(): Promise<Section> {
    if (largest === undefined) throw new RangeError("no size was asked for");
    const drawer = bench.drawerOf(largest.world);
    const { members } = drawer.directory;
    const lookup = await lookUp(postgres, largest, members, rounds, values.quick ? 300 : 2000);
    const server = await serverOf(largest.world);
    const rows = [
      ["endpoint", "entries", "rows read", "CPU µs", "CPU, in lookups", "ms", "time, in lookups"],
      ["a lookup", "1", "1", few(lookup.cpu), "1", few(lookup.milliseconds), "1"],
    ];
    for (const endpoint of ENDPOINTS) {
      const draw = drawer.anywhere(endpoint);
      const [cost] = await costs([
        {
          name: nameOf(endpoint),
          server,
          token: largest.world.token,
          rounds: Array.from({ length: rounds + 1 }, () => drawer.fresh(draw, batch)),
        },
      ]);
      if (cost === undefined) throw new Error("a page was not measured");
      const inLookups = (figures: readonly number[], one: number) =>
        ratio(
          figures,
          figures.map(() => one),
        );
      rows.push([
        cost.name,
        cost.items.toFixed(1),
        cost.rows.toFixed(1),
        few(
          ratio(
            cost.cpu,
            cost.cpu.map(() => 1),
          ),
        ),
        few(inLookups(cost.cpu, lookup.cpu.median)),
        few(
          ratio(
            cost.milliseconds,
            cost.milliseconds.map(() => 1),
          ),
        ),
        few(inLookups(cost.milliseconds, lookup.milliseconds.median)),
      ]);
    }
    return {
      title: "A page beside a lookup",
      parts: [
        `Pages of 50 of size ${largest.world.size}, never requested before, one at a time, over HTTP. A lookup is one member read by primary key through the same driver and a pool of the same size, without HTTP. CPU is that of the server, or the client, and the database together.`,
        rows,
      ],
      verdicts: [],
    };
  }

  /** Compares cached pages with those on SQLite. */
  async function remembered(): Promise<Section> {
    if (largest === undefined) throw new RangeError("no size was asked for");
    const { world } = largest;
    const sqliteWorld = await makeWorld(world.size, world.seed, folder);
    const sqlite = await serve(sqliteWorld, { log: bench.log });
    servers.push(sqlite);
    const [path = ""] = bench.drawerOf(world).fresh(() => ({ endpoint: 3, id: world.marks.directSpace }), 1);
    const target = { paths: bench.lines("remembered.txt", [path]), repeat: true };
    const [theirs, ours] = await measure(
      generator,
      [
        { ...target, name: "SQLite", server: sqlite, token: sqliteWorld.token },
        { ...target, name: "PostgreSQL", server: await serverOf(world), token: world.token },
      ],
      timing,
    );
    if (theirs === undefined || ours === undefined) throw new Error("a target is missing");
    const { ratio: figure, cpuRatio, counts } = compare(ours, theirs);
    return {
      title: "Remembered",
      parts: [
        `One page, requested repeatedly, on PostgreSQL divided by the same on SQLite: rate ${few(figure)}, CPU of the main thread ${few(cpuRatio)}.`,
      ],
      verdicts: [
        {
          what: "a page that is remembered, of SQLite's rate",
          figure,
          bound: { side: "least", value: LEAST_CACHED },
          counts,
        },
        {
          what: "the same, CPU of the main thread by SQLite's",
          figure: cpuRatio,
          bound: { side: "most", value: MOST_CACHED_CPU },
        },
      ],
    };
  }
} finally {
  for (const server of servers) await server.stop();
  generator.stop();
  await postgres.close();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

/** On PostgreSQL, two processes do the work, so the limits of CPU are higher. The limits of rows are as on SQLite. */
function relaxed(verdict: Verdict): Verdict {
  const { what, bound } = verdict;
  return what.startsWith("CPU, ") && bound.value < MOST_GROWTH
    ? { ...verdict, bound: { ...bound, value: MOST_GROWTH } }
    : verdict;
}
