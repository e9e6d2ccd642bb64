/** Goal 6: `rolebook import`, alone and while the database is served. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SERVER_CORE } from "../server/cores.ts";
import { spread } from "../figures/spread.ts";
import type { Inserted } from "./bare/insert.ts";
import type { Bench } from "../work/bench.ts";
import { type Ran, timed } from "../work/command.ts";
import { meanwhile } from "./meanwhile.ts";
import { type Section, few } from "../work/section.ts";
import { importInto } from "../work/world.ts";

const BARE = fileURLToPath(new URL("bare/insert.ts", import.meta.url));
const MB = 2 ** 20;

/** Imports the largest world, in turn with the baseline; then imports once more while the database is served. */
export async function importing(bench: Bench): Promise<Section> {
  const world = bench.largest;
  // An import of L (1,000,000 members) is long enough to be measured once; smaller ones are not.
  const rounds = world.size === "L" ? 1 : bench.timing.rounds;
  const imports: Ran[] = [];
  const bare: Inserted[] = [];
  for (let round = 0; round < rounds; round += 1) {
    imports.push((round === 0 ? world.imported : undefined) ?? (await importAnew(bench)));
    bare.push(await insertAnew(bench));
  }
  // A second run of the baseline, so that its figures have a least and a greatest value.
  if (rounds === 1) bare.push(await insertAnew(bench));
  const speed = spread(imports.flatMap((ran) => bare.map(({ seconds }) => seconds / ran.seconds)));
  const cpu = spread(imports.flatMap((ran) => bare.map(({ cpuSeconds }) => cpuSeconds / ran.cpuSeconds)));
  bench.note(`6 import: ${few(speed)} of the bare program`);
  const served = await meanwhile(bench);
  const peaks = [...imports, served.ran].map(({ peakRss }) => peakRss / MB);
  return {
    title: "6. Import",
    parts: [
      `The bare program has all rows in memory and inserts them in key order, one transaction per table (see \`bench/goals/bare/insert.ts\`); \`import\` reads and checks the file, compares it with the stored data, derives the rows and writes them in short transactions. Imports: ${imports.length}, bare runs: ${bare.length}; the spread is over all pairs.`,
      [
        ["", "seconds", "CPU seconds", "rows"],
        [
          "`rolebook import`",
          few(spread(imports.map(({ seconds }) => seconds))),
          few(spread(imports.map(({ cpuSeconds }) => cpuSeconds))),
          "",
        ],
        [
          "bare program",
          few(spread(bare.map(({ seconds }) => seconds))),
          few(spread(bare.map(({ cpuSeconds }) => cpuSeconds))),
          (bare[0]?.rows ?? 0).toLocaleString("en"),
        ],
      ],
      `The bare program took ${few(cpu)} of the CPU time of the import.`,
      ...served.parts,
    ],
    verdicts: [
      {
        what: "speed of import, by that of the bare program",
        figure: speed,
        bound: { side: "least", value: 0.35 },
      },
      {
        what: "peak memory of the import",
        figure: spread([Math.max(...peaks)]),
        unit: " MB",
        bound: { side: "most", value: 512 },
      },
      ...served.verdicts,
    ],
  };
}

async function importAnew({ folder, largest }: Bench): Promise<Ran> {
  const path = join(folder, "anew.db");
  try {
    return await importInto(path, largest.file);
  } finally {
    remove(path);
  }
}

async function insertAnew({ folder, largest }: Bench): Promise<Inserted> {
  const path = join(folder, "bare.db");
  try {
    const { stdout } = await timed({ core: SERVER_CORE }, BARE, largest.path, path, String(largest.revision));
    return JSON.parse(stdout);
  } finally {
    remove(path);
  }
}

function remove(path: string): void {
  for (const end of ["", "-wal", "-shm", "-import"]) rmSync(`${path}${end}`, { force: true });
}
