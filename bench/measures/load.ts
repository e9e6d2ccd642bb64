/** What it takes to load an organization into memory. */
import { modelOf } from "../../src/store/models.ts";
import type { Bench } from "../harness/bench.ts";
import { open } from "../harness/database.ts";
import type { Put } from "../harness/result.ts";
import { cpuOf, longestTurn } from "../harness/turns.ts";
import type { World } from "../harness/world.ts";

export async function load({ worlds, rounds }: Bench, put: Put): Promise<void> {
  for (const world of worlds) await loads(world, rounds, put, "a load from SQLite");
}

/** CPU is that of this process; `databaseCpu` returns that of a database's own processes so far, in microseconds. */
export async function loads(
  world: World,
  rounds: number,
  put: Put,
  name: string,
  databaseCpu?: () => number,
): Promise<void> {
  const [own, both, turns]: [number[], number[], number[]] = [[], [], []];
  // Round 0 warms up the code.
  for (let round = 0; round <= rounds; round++) {
    const before = databaseCpu?.() ?? 0;
    const cpu = await loaded(world, cpuOf);
    const database = ((databaseCpu?.() ?? 0) - before) / 1000;
    const turn = await loaded(world, longestTurn);
    if (round === 0) continue;
    own.push(cpu);
    both.push(cpu + database);
    turns.push(turn);
  }
  put(world.size, name, "CPU ms", own);
  if (databaseCpu !== undefined) put(world.size, name, "CPU ms, with the database's", both);
  put(world.size, name, "longest turn in CPU ms", turns);
}

async function loaded(
  world: World,
  measure: (work: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  await using database = await open(world);
  const reading = await database.reading();
  return await measure(() => modelOf(reading));
}
