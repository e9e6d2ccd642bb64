/**
 * Measures uncached pages without HTTP: rows and CPU per page, each kind of page in every size, in turn with other
 * builds of the program in one process.
 *
 *     node bench/pages.ts --sizes S,L --folder DIR [--beside NAME=BUILD:FOLDER] [--only TEXT] [--pages 200] [--rounds 5]
 *
 * BUILD is a folder `dist/program` of another checkout; FOLDER has the databases of that build.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Size } from "./data.ts";
import { KINDS } from "./pages/kinds.ts";
import { openProgram, type Program } from "./pages/program.ts";
import { spread } from "./figures/spread.ts";
import { openDrawer } from "./work/draw.ts";
import { few, markdown } from "./work/section.ts";
import { makeWorld } from "./work/world.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "S,M" },
    folder: { type: "string" },
    beside: { type: "string", multiple: true, default: [] },
    only: { type: "string", default: "" },
    pages: { type: "string", default: "200" },
    rounds: { type: "string", default: "5" },
  },
});
const { folder } = values;
if (folder === undefined) throw new Error("--folder says where the databases are, or are to be made.");
const sizes = values.sizes.split(",").filter((size): size is Size => ["S", "M", "L"].includes(size));
const builds = [
  `new=${fileURLToPath(new URL("../dist/program", import.meta.url))}:${folder}`,
  ...values.beside,
];

const sides = await Promise.all(
  sizes.map(async (size) => {
    const drawer = openDrawer(await makeWorld(size, 1, folder));
    const programs: Program[] = [];
    for (const build of builds) {
      const [, name = "", program = "", databases = ""] = /^(.+?)=(.+):(.+)$/.exec(build) ?? [];
      programs.push(await openProgram(`${size} ${name}`, program, join(databases, `${size}-1.db`)));
    }
    return { drawer, programs };
  }),
);
const first = sides[0]?.programs[0];

for (const kind of KINDS.filter(({ name }) => name.includes(values.only))) {
  const found = new Map<Program, { cpu: number[]; rows: number; entries: number }>();
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { drawer, programs } of sides) {
      const pages = drawer.places(kind.draw(drawer, sides[0]?.drawer ?? drawer), Number(values.pages));
      for (const program of programs) {
        const cost = await program.cost(pages);
        // Round 0 compiles the code, and reads the file into memory.
        if (round === 0) continue;
        const all = found.get(program) ?? { cpu: [], rows: 0, entries: 0 };
        all.cpu.push(cost.cpu);
        found.set(program, { cpu: all.cpu, rows: cost.rows, entries: cost.entries });
      }
    }
  }
  const ratioTo = (program: Program, other: Program | undefined) => {
    const below = other === undefined ? undefined : found.get(other);
    return below === undefined || other === program
      ? ""
      : few(spread((found.get(program)?.cpu ?? []).map((cpu, round) => cpu / (below.cpu[round] ?? 0))));
  };
  console.log(`\n${kind.name}\n`);
  console.log(
    markdown([
      ["program", "entries", "rows", "CPU µs", "× the first size", "the first program × this one"],
      ...sides.flatMap(({ programs }) =>
        programs.map((program, place) => {
          const { cpu, rows, entries } = found.get(program) ?? { cpu: [0], rows: 0, entries: 0 };
          return [
            program.name,
            entries.toFixed(1),
            rows.toFixed(1),
            few(spread(cpu)),
            ratioTo(program, sides[0]?.programs[place]),
            place === 0 ? "" : ratioTo(programs[0] ?? program, program),
          ];
        }),
      ),
    ]),
  );
}
for (const { drawer, programs } of sides) {
  drawer.close();
  for (const program of programs) await program.close();
}
if (first === undefined) throw new Error("--sizes names none of S, M and L.");
