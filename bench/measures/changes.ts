/** What a change file costs, by its number of records and the size of the organization, on both stores. */
import { statSync } from "node:fs";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { type Engine, statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { ENDING_TABLES } from "../../src/store/schema/migrations.ts";
import type { Bench } from "../harness/bench.ts";
import { familyCpu } from "../harness/family-cpu.ts";
import { onPostgres } from "../harness/postgres-world.ts";
import { changes, growing, type Growing, pieces } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { CHECKPOINT, copied, type World } from "../harness/world.ts";
import { following } from "./follow.ts";

const COUNTS = [1, 10, 1000] as const;
/** Compiling the code costs more than writing a small change. */
const WARM = 3;
const LOGGED = statement<[bytes: string]>(() => "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");

/** A database to which the benchmark applies changes. */
export interface Ground extends Growing {
  readonly store: "SQLite" | "PostgreSQL";
  readonly world: World;
  readonly engine: Engine;
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
    const engine = await openEngine(world.url);
    stack.defer(() => engine.close());
    grounds.push({
      ...(await growing(engine)),
      store: "SQLite",
      world,
      engine,
      cpu: ownCpu,
      async log() {
        await engine.read(CHECKPOINT);
        return async () => statSync(`${world.path}-wal`).size;
      },
    });
  }
  await measure(grounds, bench, put);
  for (const ground of grounds) await following(ground, bench, put);
}

/** The same on PostgreSQL, where a small change waits for the answers to its statements. */
export async function changingPostgres(bench: Bench, put: Put): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { postgres, worlds } = stack.use(await onPostgres(bench.worlds));
  const grounds: Ground[] = [];
  for (const world of worlds) {
    const engine = await openEngine(world.url);
    stack.defer(() => engine.close());
    const logged = async () => Number((await engine.read(LOGGED))[0]?.[0]);
    grounds.push({
      ...(await growing(engine)),
      store: "PostgreSQL",
      world,
      engine,
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
  const text = changes(ground, count);
  const written = await ground.log();
  const used = ground.cpu();
  const change = await readChange({ name: "bench", pieces: pieces(text) }, false, () => {});
  const { revision } = await applyChange(ground.engine, change, { allowRemovals: true });
  // The database may have the drawn record already, so the change was empty: draw another one.
  if (revision === undefined) return once(ground, count);
  const cpu = ground.cpu() - used;
  return { cpu, bytes: await written(), revision };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The number of rows that a revision inserted or ended. Reads all tables. */
async function rowsOf({ engine }: Ground, revision: number): Promise<number> {
  let rows = 0;
  for (const table of [...ENDING_TABLES, "record_change"]) {
    const touched = table === "record_change" ? "revision = $1" : "since = $1 OR until = $1";
    const count = statement<[rows: number]>(() => `SELECT count(*) FROM ${table} WHERE ${touched}`);
    const [[found] = [0]] = await engine.read(count, revision);
    rows += Number(found);
  }
  return rows;
}
