/** Pages of past days beside the same pages now, after a year of daily changes, and what the past adds to the database. */
import { statSync } from "node:fs";
import { type Bench, largest } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import { costs, type Side } from "../harness/cost.ts";
import { open } from "../harness/database.ts";
import { changes, growing } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { ratio } from "../harness/spread.ts";
import { CHECKPOINT, copied } from "../harness/world.ts";

const DAYS = 365;
const RECORDS = 400;

export async function past(bench: Bench, put: Put): Promise<void> {
  const original = largest(bench);
  using world = copied(original, "past");
  const before = statSync(world.path).size;
  const source = growing((await bench.drawerOf(original)).directory.model);
  const days: number[] = [world.revision];
  {
    await using database = await open(world);
    while (days.length < DAYS) {
      const revision = await database.apply(changes(source, RECORDS));
      if (revision !== undefined) days.push(revision);
    }
    await database.engine.read(CHECKPOINT);
  }
  const added = (statSync(world.path).size - before) / 2 ** 20;
  put(world.size, `${DAYS} days of ${RECORDS} records`, "MB added", added);

  const server = await serve(world, { log: bench.log });
  let drawn = 0;
  const next = (day: string) => () => {
    return Array.from({ length: bench.pages }, () => {
      drawn += 1;
      return `/explorer/access?space=${source.spaces[(drawn * 61) % source.spaces.length]}${day}`;
    });
  };
  const [now, then, first]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let round = 0; round < bench.rounds; round++) {
      const day = `&revision=${days[((round + 1) * 97) % days.length]}`;
      const sides = ["", day].map((of): Side => ({ server, token: world.token, next: next(of) }));
      // Round 0 of both sides, so that the code of pages is warm before a past day is loaded.
      if (round === 0) await costs({ ...bench, rounds: 0 }, sides.slice(0, 1));
      const { processCpu } = await server.sample();
      const [page = ""] = sides[1]?.next() ?? [];
      await ask(new URL(page, server.url), world.token);
      first.push(((await server.sample()).processCpu - processCpu) / 1000);
      // All other pages of a round are of the same day, as a reader who looks at a day asks for them.
      const [today, thatDay] = await costs({ ...bench, rounds: 1 }, sides);
      now.push(...(today?.main ?? []));
      then.push(...(thatDay?.main ?? []));
    }
  } finally {
    await server.stop();
  }
  const name = "first rows of a space in the explorer";
  put(world.size, name, "CPU µs now", now);
  put(world.size, name, "first of a past day, CPU ms", first);
  put(world.size, name, "others of that day, × now", ratio(then, now));
}
