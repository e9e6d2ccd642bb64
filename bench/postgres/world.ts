import type { PostgresServer } from "../../test/postgres/server/server.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { MAIN, rolebook } from "../server/rolebook.ts";
import { type Server, startServer } from "../server/server.ts";
import type { World } from "../work/world.ts";
import { familyCpu } from "./cpu.ts";

/** The organization of a SQLite world, imported into a PostgreSQL database of its own. */
export interface PostgresWorld {
  /** Pages are drawn from the SQLite file; the token is that of the PostgreSQL database. */
  readonly world: World;
  readonly url: string;
  readonly importSeconds: number;
  /** The size of the import on disk, in bytes. */
  readonly bytes: number;
}

/** Imports the snapshot file of a SQLite world. Throws if the two would have different revision numbers. */
export async function importWorld(postgres: PostgresServer, world: World): Promise<PostgresWorld> {
  const name = `bench_${world.size.toLowerCase()}`;
  const url = await postgres.createDatabase(name);
  await rolebook("database", "migrate", "--database", url);
  const empty = await sizeOf();
  const begin = performance.now();
  await rolebook("import", "--database", url, world.file);
  const importSeconds = (performance.now() - begin) / 1000;
  const bytes = (await sizeOf()) - empty;
  if (world.revision !== 1) {
    throw new Error(`${world.path} was imported into more than once; take another --folder`);
  }
  const token = await rolebook("token", "create", "--database", url, "--organization", ORGANIZATION);
  return { world: { ...world, token }, url, importSeconds, bytes };

  async function sizeOf(): Promise<number> {
    const [row] = await postgres.query<{ bytes: string }>("SELECT pg_database_size($1) AS bytes", [name]);
    return Number(row?.bytes);
  }
}

/** Starts a server on the database. Its CPU includes that of all PostgreSQL processes. */
export async function serveOn(postgres: PostgresServer, { url }: PostgresWorld): Promise<Server> {
  const server = await startServer({
    script: MAIN,
    args: ["serve", "--port", "{port}", "--database", url],
    env: { ROLEBOOK_LOG_LEVEL: "silent" },
  });
  return {
    ...server,
    async sample() {
      const found = await server.sample();
      return { ...found, processCpu: found.processCpu + familyCpu(postgres.pid() ?? 0) };
    },
  };
}
