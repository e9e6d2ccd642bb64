/** A database with one generated organization, to which the benchmark applies changes. */
import { statSync } from "node:fs";
import type { PostgresServer } from "../../test/postgres/server/server.ts";
import { type Engine, statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { GENERATION_TABLES } from "../../src/store/schema/migrations.ts";
import type { Size } from "../data/sizes.ts";
import { familyCpu } from "../postgres/cpu.ts";
import { importWorld, serveOn } from "../postgres/world.ts";
import { serve } from "../server/rolebook.ts";
import type { Server } from "../server/server.ts";
import { makeWorld } from "../work/world.ts";
import { growing, type Growing } from "./records.ts";

export interface Ground extends Growing {
  readonly store: "SQLite" | "PostgreSQL";
  readonly size: Size;
  readonly url: string;
  readonly token: string;
  readonly engine: Engine;
  serve(): Promise<Server>;
  /** The CPU time of this process and the database so far, in milliseconds. */
  cpu(): number;
  /**
   * Begins to count the bytes that are written to the database's log. The returned function returns their number so
   * far.
   */
  log(): Promise<() => Promise<number>>;
}

export async function onSqlite(size: Size, folder: string): Promise<Ground> {
  const { path, token } = await makeWorld(size, 1, folder);
  const url = `sqlite:${path}`;
  const engine = await openEngine(url);
  return {
    ...(await growing(engine)),
    store: "SQLite",
    size,
    url,
    token,
    engine,
    serve: () => serve({ path }, { probed: false, pinned: false }),
    cpu: ownCpu,
    async log() {
      await engine.script("PRAGMA wal_checkpoint(TRUNCATE)");
      return async () => statSync(`${path}-wal`).size;
    },
  };
}

const LOGGED = statement<[bytes: string]>(() => "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");

export async function onPostgres(size: Size, folder: string, postgres: PostgresServer): Promise<Ground> {
  const imported = await importWorld(postgres, await makeWorld(size, 1, folder));
  const { url } = imported;
  const engine = await openEngine(url);
  const logged = async () => Number((await engine.read(LOGGED))[0]?.[0]);
  return {
    ...(await growing(engine)),
    store: "PostgreSQL",
    size,
    url,
    token: imported.world.token,
    engine,
    serve: () => serveOn(postgres, imported),
    cpu: () => ownCpu() + familyCpu(postgres.pid() ?? 0) / 1000,
    async log() {
      const before = await logged();
      return async () => (await logged()) - before;
    },
  };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The number of rows that a revision inserted or ended. Reads all tables. */
export async function rowsOf({ engine }: Ground, revision: number): Promise<number> {
  let rows = 0;
  for (const table of GENERATION_TABLES) {
    if (["place", "search", "line_hash"].includes(table)) continue;
    const touched = table === "record_change" ? "revision = $1" : "since = $1 OR until = $1";
    const count = statement<[rows: number]>(() => `SELECT count(*) FROM ${table} WHERE ${touched}`);
    const [[found] = [0]] = await engine.read(count, revision);
    rows += Number(found);
  }
  return rows;
}
