/** Measures what a change file costs, by its number of records and the size of the organization. */
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { spread } from "../figures/spread.ts";
import { few } from "../work/section.ts";
import { type Ground, rowsOf } from "./ground.ts";
import { changes, pieces } from "./records.ts";

const COUNTS = [1, 10, 1000] as const;

/** The number of warm-up rounds. Compiling the code costs more than writing a small change. */
const WARM = 3;

interface Cost {
  readonly milliseconds: number;
  readonly cpu: number;
  readonly bytes: number;
  readonly revision: number;
}

const HEAD = ["records", "size", "ms", "ms of CPU", "rows", "KB written", "CPU ÷", "rows ÷", "KB ÷"];

/** The table of one store. Each round measures all sizes; ratios are to the first size. */
export async function measured(grounds: readonly Ground[], rounds: number): Promise<string[][]> {
  const table: string[][] = [HEAD];
  for (const count of COUNTS) {
    const costs = grounds.map(() => new Array<Cost>());
    for (let round = -WARM; round < rounds; round++) {
      for (const [place, ground] of grounds.entries()) {
        const cost = await once(ground, count);
        if (round >= 0) costs[place]?.push(cost);
      }
    }
    const rows: number[] = [];
    for (const [place, ground] of grounds.entries()) {
      rows.push(await rowsOf(ground, costs[place]?.at(-1)?.revision ?? 0));
    }
    for (const [place, { size }] of grounds.entries()) {
      const own = costs[place] ?? [];
      const figure = (of: (cost: Cost) => number) => few(spread(own.map(of)));
      const divided = (of: (cost: Cost) => number) =>
        few(spread(own.map((cost, round) => of(cost) / of(costs[0]?.[round] ?? cost))));
      table.push([
        String(count),
        size,
        figure(({ milliseconds }) => milliseconds),
        figure(({ cpu }) => cpu),
        String(rows[place]),
        figure(({ bytes }) => bytes / 1024),
        divided(({ cpu }) => cpu),
        ((rows[place] ?? 0) / (rows[0] ?? 1)).toFixed(2),
        divided(({ bytes }) => bytes),
      ]);
    }
  }
  return table;
}

async function once(ground: Ground, count: number): Promise<Cost> {
  const text = changes(ground, count);
  const written = await ground.log();
  const [begin, used] = [performance.now(), ground.cpu()];
  const change = await readChange({ name: "bench", pieces: pieces(text) }, false, () => {});
  const { revision } = await applyChange(ground.engine, change, { allowRemovals: true });
  // The database may have the drawn record already, so the change was empty: draw another one.
  if (revision === undefined) return once(ground, count);
  const [milliseconds, cpu] = [performance.now() - begin, ground.cpu() - used];
  return { milliseconds, cpu, bytes: await written(), revision };
}
