/** What a change file costs, by its number of records and the size of the organization, on both stores. */
import { statSync } from "node:fs";
import { statement } from "../../src/store/engine/engine.ts";
import { ENDING_TABLES } from "../../src/store/schema/tables.ts";
import type { Bench } from "../harness/bench.ts";
import { timed } from "../harness/command.ts";
import { SERVER_CORE } from "../harness/cores.ts";
import { type Database, open } from "../harness/database.ts";
import { familyCpu } from "../harness/family-cpu.ts";
import { onPostgres } from "../harness/postgres-world.ts";
import { changes, growing, type Growing } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { MAIN } from "../harness/rolebook.ts";
import { ownCpu } from "../harness/turns.ts";
import { CHECKPOINT, copied, type World } from "../harness/world.ts";

const COUNTS = [1, 10, 1000] as const;
/** Compiling the code costs more than writing a small change. */
const WARM = 3;
const LOGGED = statement<[bytes: string]>(() => "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");

/** A database to which the benchmark applies changes. */
interface Ground extends Growing {
  readonly store: "SQLite" | "PostgreSQL";
  readonly world: World;
  readonly database: Database;
  /** The CPU time of this process and the database so far, in milliseconds. */
  readonly cpu: () => number;
  /** Begins to count the bytes that are written to the database's log. */
  readonly log: () => Promise<() => Promise<number>>;
}

interface Cost {
  readonly cpu: number;
  readonly bytes: number;
  readonly revision: number;
}

export async function changing(bench: Bench, put: Put): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const grounds: Ground[] = [];
  for (const original of bench.worlds) {
    const world = stack.use(copied(original, "changed"));
    const database = stack.use(await open(world));
    grounds.push({
      ...growing((await bench.drawerOf(original)).directory.model),
      store: "SQLite",
      world,
      database,
      cpu: ownCpu,
      async log() {
        await database.engine.read(CHECKPOINT);
        return async () => statSync(`${world.path}-wal`).size;
      },
    });
  }
  await measure(grounds, bench, put);
  await commands(grounds, bench, put);
}

/** The same on PostgreSQL, where a small change waits for the answers to its statements. */
export async function changingPostgres(bench: Bench, put: Put): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { postgres, worlds } = stack.use(await onPostgres(bench.worlds));
  const grounds: Ground[] = [];
  for (const [place, world] of worlds.entries()) {
    const database = stack.use(await open(world));
    const drawer = await bench.drawerOf(bench.worlds[place] ?? world);
    const logged = async () => Number((await database.engine.read(LOGGED))[0]?.[0]);
    grounds.push({
      ...growing(drawer.directory.model),
      store: "PostgreSQL",
      world,
      database,
      cpu: () => ownCpu() + familyCpu(postgres.pid() ?? 0) / 1000,
      async log() {
        const before = await logged();
        return async () => (await logged()) - before;
      },
    });
  }
  await measure(grounds, bench, put);
}

/** Each round measures all sizes. */
async function measure(grounds: readonly Ground[], { rounds }: Bench, put: Put): Promise<void> {
  for (const count of COUNTS) {
    const costs = grounds.map(() => new Array<Cost>());
    for (let round = -WARM; round < rounds; round++) {
      for (const [place, ground] of grounds.entries()) {
        const cost = await once(ground, count);
        if (round >= 0) costs[place]?.push(cost);
      }
    }
    for (const [place, ground] of grounds.entries()) {
      const { store, world } = ground;
      const own = costs[place] ?? [];
      const of = `${count} ${count === 1 ? "record" : "records"} on ${store}`;
      const all = (what: (cost: Cost) => number) => own.map(what);
      put(
        world.size,
        of,
        "CPU ms",
        all(({ cpu }) => cpu),
      );
      put(world.size, of, "rows", await rowsOf(ground, own.at(-1)?.revision ?? 0));
      put(
        world.size,
        of,
        "KB written",
        all(({ bytes }) => bytes / 1024),
      );
    }
  }
}

async function once(ground: Ground, count: number): Promise<Cost> {
  const lines = changes(ground, count);
  const written = await ground.log();
  const used = ground.cpu();
  const revision = await ground.database.apply(lines);
  // The database may have the drawn record already, so the change was empty: draw another one.
  if (revision === undefined) return once(ground, count);
  const cpu = ground.cpu() - used;
  return { cpu, bytes: await written(), revision };
}

/** `rolebook apply` of one record, the whole command. Each round runs it in all sizes. */
async function commands(grounds: readonly Ground[], { rounds, lines }: Bench, put: Put): Promise<void> {
  const found = grounds.map(() => new Array<number>());
  // Round 0 fills the file caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [place, ground] of grounds.entries()) {
      const file = lines("change.ndjson", [changes(ground, 1)]);
      const args = ["apply", "--database", ground.world.url, file];
      const { cpuSeconds } = await timed({ core: SERVER_CORE }, MAIN, ...args);
      if (round > 0) found[place]?.push(1000 * cpuSeconds);
    }
  }
  for (const [place, { world }] of grounds.entries()) {
    const own = found[place] ?? [];
    const of = "1 record on SQLite, the whole command";
    put(world.size, of, "CPU ms", own);
    if (place === 0) continue;
    const more = own.map((each, round) => each - (found[0]?.[round] ?? 0));
    put(world.size, of, `CPU ms more than at ${grounds[0]?.world.size}`, more);
  }
}

/** The number of rows that a revision inserted or ended. Reads all tables. */
async function rowsOf({ database }: Ground, revision: number): Promise<number> {
  let rows = 0;
  for (const table of [...ENDING_TABLES, "record_change"]) {
    const touched = table === "record_change" ? "revision = $1" : "since = $1 OR until = $1";
    const count = statement<[rows: number]>(() => `SELECT count(*) FROM ${table} WHERE ${touched}`);
    const [[found] = [0]] = await database.engine.read(count, revision);
    rows += Number(found);
  }
  return rows;
}
