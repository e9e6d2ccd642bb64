/**
 * Measures the cost of changes by the size of the organization: CPU, rows and bytes written, and the latency of pages
 * meanwhile. All sizes are measured in turn in one process.
 *
 *     node bench/changes.ts [--folder DIR] [--sizes S,M] [--postgres S,M] [--rounds 9]
 *
 * Writes docs/performance-changes.md. Changes the databases in the folder.
 */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/postgres/server/server.ts";
import { beside, type Beside } from "./changes/beside.ts";
import { type Ground, onPostgres, onSqlite } from "./changes/ground.ts";
import { measured } from "./changes/measured.ts";
import { parseSize, type Size } from "./data/sizes.ts";
import { percentile, spread } from "./figures/spread.ts";
import { few, markdown } from "./work/section.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "/dev/shm/bench" },
    sizes: { type: "string", default: "S,M" },
    postgres: { type: "string", default: "S,M" },
    rounds: { type: "string", default: "9" },
  },
});
const rounds = Number(values.rounds);
const sizesIn = (text: string) => (text === "" ? [] : text.split(",").map(parseSize));

function besideOf({ store, size }: Ground, { pages, tokens, seen }: Beside): string[] {
  const quiet = percentile(pages.quiet, 99);
  const busy = percentile(pages.busy, 99);
  return [
    store,
    size,
    quiet.toFixed(1),
    busy.toFixed(1),
    (busy / quiet).toFixed(2),
    percentile(tokens.quiet, 50).toFixed(1),
    percentile(tokens.busy, 50).toFixed(1),
    percentile(tokens.busy, 99).toFixed(1),
    Math.max(...tokens.busy).toFixed(1),
    few(spread(seen)),
  ];
}

const besides = [
  [
    ["store", "size", "pages p99, ms: quiet", "meanwhile", "ratio"],
    ["token, ms: quiet", "meanwhile", "p99", "at most", "visible after, ms"],
  ].flat(),
];

/** Measures the given sizes on one store. Returns the table of costs. */
async function measure(sizes: readonly Size[], open: (size: Size) => Promise<Ground>): Promise<string> {
  const grounds: Ground[] = [];
  try {
    for (const size of sizes) grounds.push(await open(size));
    const table = markdown(await measured(grounds, rounds));
    console.error(table);
    for (const ground of grounds) {
      besides.push(besideOf(ground, await beside(ground, rounds)));
      console.error(besides.at(-1)?.join(" "));
    }
    return table;
  } finally {
    for (const { engine } of grounds) await engine.close();
  }
}

const load = (loadavg()[0] ?? 0).toFixed(1);
const sections = [
  `## On SQLite\n\n${await measure(sizesIn(values.sizes), (size) => onSqlite(size, values.folder))}`,
];
if (values.postgres !== "") {
  const postgres = await startPostgres({ settings: { shared_buffers: "512MB" } });
  try {
    const table = await measure(sizesIn(values.postgres), (size) =>
      onPostgres(size, `${values.folder}/for-postgres`, postgres),
    );
    sections.push(`## On PostgreSQL\n\nCPU is that of the command and of all of PostgreSQL.\n\n${table}`);
  } finally {
    await postgres.close();
  }
}

writeFileSync(
  new URL("../docs/performance-changes.md", import.meta.url),
  `# What changes cost

For operators. After this page you know what a change file costs by the size of the organization.
\`node bench/changes.ts --sizes ${values.sizes} --postgres ${values.postgres}\` made this page. It measures \`rolebook apply\` in one process. Sizes are
interleaved; figures are the median (least to greatest) of ${rounds} rounds. The load average was ${load} when the run began.
Records are permissions, memberships, people who join and spaces.
A column with "÷" has the figure divided by that of the first size. S, M and L are organizations of 1,000, 50,000 and
1,000,000 members.

${sections.join("\n\n")}

## Beside them

Three processes run: one serves; one applies ten batches of ten records per second; one reads first pages, each of another
space, and creates tokens. Rounds with and without the batches alternate ("meanwhile" and "quiet"). The time of a token is that
of the transaction which creates it: median, 99th percentile and greatest. "visible after" is the time from sending a batch to
the first page of its revision.

${markdown(besides)}

## What bounds it

- 1,000 records write many more KB at M than at S, and little more at L than at M: at S most sets are stored in their heads and many rows
  of a change share a page of the file; from M on, most rows that change lie on pages of their own.
- Creating a token waits for the transaction of the batch that is under way. A batch is read, checked and resolved before
  its transaction begins. The longest transactions are those that split a full chunk.
- On PostgreSQL, a small change waits for the answers to its statements, one after the other
  ([decision 22](decisions/0022-a-change-in-few-statements.md)).
`,
);
