/** Pages and a load on PostgreSQL, beside those on SQLite. CPU is that of the server and of the database. Linux only. */
import type { Bench } from "../harness/bench.ts";
import { costs } from "../harness/cost.ts";
import { familyCpu } from "../harness/family-cpu.ts";
import { onPostgres } from "../harness/postgres-world.ts";
import type { Put } from "../harness/result.ts";
import { ratio } from "../harness/spread.ts";
import { loads } from "./load.ts";
import { KINDS, nextOf } from "./pages.ts";

/** The kernel counts the CPU of other processes in hundredths of a second, so a round needs many pages. */
const MORE = 10;
const CONNECTIONS = 50;
const SOME = /^(open space|closed space|open collection|site|spaces of a member|users on .*|role=.*)$/;

export async function postgres(bench: Bench, put: Put): Promise<void> {
  await using there = await onPostgres(bench.worlds);
  const smallest = await bench.drawerOf(bench.worlds[0]);
  for (const [place, original] of bench.worlds.entries()) {
    const world = there.worlds[place] ?? original;
    const drawer = await bench.drawerOf(original);
    const databaseCpu = () => familyCpu(there.postgres.pid() ?? 0);
    await loads(world, bench.rounds, put, "a load from PostgreSQL", databaseCpu);
    const here = { server: await bench.serverOf(original), token: original.token };
    const other = { server: await there.serve(world), token: world.token };
    for (const kind of KINDS.filter(({ name }) => SOME.test(name))) {
      const next = nextOf(kind, drawer, smallest, bench.pages * MORE);
      const sides = [here, other].map((side) => ({ ...side, next }));
      const found = await costs(bench, sides, CONNECTIONS);
      const [sqlite = [], postgresql = []] = found.map((cost) => cost.process);
      put(world.size, kind.name, "CPU µs", postgresql);
      put(world.size, kind.name, "CPU, × SQLite", ratio(postgresql, sqlite));
    }
  }
}
