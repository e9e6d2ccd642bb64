/**
 * Measures changes by the size of the organization: CPU, rows and bytes written, interleaved in one process.
 * `node bench/changes.ts [--folder DIR] [--sizes S,M] [--rounds 9]`; writes docs/performance-changes.md.
 */
import { statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { applyChange } from "../src/snapshot/changes/apply.ts";
import { readChange } from "../src/snapshot/changes/read.ts";
import { GENERATION_TABLES } from "../src/store/schema/migrations.ts";
import type { Engine } from "../src/store/engine/engine.ts";
import { openEngine } from "../src/store/engine/open.ts";
import type { Size } from "./data.ts";
import { parseSize } from "./data/sizes.ts";
import { beside, type Beside } from "./changes/beside.ts";
import { changes, growing, type Growing, pieces } from "./changes/records.ts";
import { few, markdown } from "./work/section.ts";
import { percentile, spread } from "./spread.ts";
import { makeWorld } from "./work/world.ts";

/** The number of records per change file. */
const COUNTS = [1, 10, 1000] as const;

interface Ground extends Growing {
  readonly size: Size;
  readonly path: string;
  readonly token: string;
  readonly engine: Engine;
  readonly database: DatabaseSync;
}

interface Cost {
  readonly milliseconds: number;
  readonly cpu: number;
  readonly rows: number;
  readonly bytes: number;
}

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "/dev/shm/bench" },
    sizes: { type: "string", default: "S,M" },
    rounds: { type: "string", default: "9" },
  },
});

async function open(size: Size): Promise<Ground> {
  const { path, token } = await makeWorld(size, 1, values.folder);
  const database = new DatabaseSync(path);
  return { size, path, token, engine: await openEngine(`sqlite:${path}`), database, ...growing(database) };
}

async function once(ground: Ground, count: number): Promise<Cost> {
  const text = changes(ground, count);
  ground.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const [begin, used] = [performance.now(), process.cpuUsage()];
  const change = await readChange({ name: "bench", pieces: pieces(text) }, false, () => {});
  const { revision } = await applyChange(ground.engine, change, { allowRemovals: true });
  const { user, system } = process.cpuUsage(used);
  return {
    milliseconds: performance.now() - begin,
    cpu: (user + system) / 1000,
    rows: rowsOf(ground, revision ?? 0),
    bytes: statSync(`${ground.path}-wal`).size,
  };
}

/** The number of rows that a revision inserted or ended. */
function rowsOf({ database }: Ground, revision: number): number {
  return GENERATION_TABLES.reduce((sum, table) => {
    if (["place", "search", "line_hash"].includes(table)) return sum;
    const touched = table === "record_change" ? "revision = ?1" : "since = ?1 OR until = ?1";
    const row = database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${touched}`).get(revision);
    return sum + Number(row?.["rows"]);
  }, 0);
}

function besideOf({ pages, tokens, seen }: Beside): string[] {
  const quiet = percentile(pages.quiet, 99);
  const busy = percentile(pages.busy, 99);
  return [
    quiet.toFixed(1),
    busy.toFixed(1),
    (busy / quiet).toFixed(2),
    percentile(tokens.quiet, 50).toFixed(1),
    percentile(tokens.busy, 50).toFixed(1),
    Math.max(...tokens.busy).toFixed(1),
    few(spread(seen)),
  ];
}

const grounds: Ground[] = [];
for (const text of values.sizes.split(",")) grounds.push(await open(parseSize(text)));
const costs = new Map<string, Cost[]>();
// The first round warms up.
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const count of COUNTS) {
    for (const ground of grounds) {
      const cost = await once(ground, count);
      if (round > 0)
        costs.set(`${count} ${ground.size}`, [...(costs.get(`${count} ${ground.size}`) ?? []), cost]);
    }
  }
}
const head = ["records", "size", "ms", "ms of CPU", "rows", "KB written"];
const rows = COUNTS.flatMap((count) =>
  grounds.map(({ size }) => {
    const all = costs.get(`${count} ${size}`) ?? [];
    const figure = (of: (cost: Cost) => number) => few(spread(all.map(of)));
    return [
      String(count),
      size,
      figure((cost) => cost.milliseconds),
      figure((cost) => cost.cpu),
      figure((cost) => cost.rows),
      figure((cost) => cost.bytes / 1024),
    ];
  }),
);
const table = markdown([head, ...rows]);
console.log(table);
const besides: string[][] = [];
for (const ground of grounds) {
  const found = await beside(ground.path, ground.token, ground, Number(values.rounds));
  besides.push([ground.size, ...besideOf(found)]);
}
const besideTable = markdown([
  [
    "size",
    "pages p99, ms: quiet",
    "meanwhile",
    "ratio",
    "token, ms: quiet",
    "meanwhile",
    "at most",
    "visible after, ms",
  ],
  ...besides,
]);
console.log(besideTable);
writeFileSync(
  new URL("../docs/performance-changes.md", import.meta.url),
  `# What changes cost

For operators. After this page you know what a change file costs by the size of the organization. Made by \`node bench/changes.ts
--sizes ${values.sizes}\`: \`rolebook apply\` on SQLite, in one process, sizes interleaved, median (least to greatest) of ${values.rounds} rounds.
Records are permissions, memberships, people who join and spaces.

${table}

## Beside them

One process serves, one applies batches of ten records, ten per second, and one reads first pages, each of another space,
and creates tokens. Quiet and busy measurements alternate. A token is the time of its transaction, median and greatest;
"visible after" is the time from sending a batch to the first page of its revision.

${besideTable}
`,
);
for (const { engine, database } of grounds) {
  database.close();
  await engine.close();
}
