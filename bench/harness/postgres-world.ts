import { startPostgres } from "../../test/postgres/server/server.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { familyCpu } from "./family-cpu.ts";
import { rolebook, serve } from "./rolebook.ts";
import type { Server } from "./server.ts";
import type { World } from "./world.ts";

/**
 * Imports worlds into databases of a new PostgreSQL server. Pages are still drawn from the SQLite files, whose revisions
 * have the same numbers: both were imported once.
 */
export async function onPostgres(originals: readonly World[]) {
  // 512 MB hold an organization of 50,000 members (M), so that both stores read from memory.
  const postgres = await startPostgres({ settings: { shared_buffers: "512MB" } });
  const worlds: World[] = [];
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    for (const server of servers) await server.stop();
    await postgres.close();
  };
  try {
    for (const world of originals) {
      const url = await postgres.createDatabase(`bench_${world.size.toLowerCase()}`);
      await rolebook("database", "migrate", "--database", url);
      await rolebook("import", "--database", url, world.file);
      if (world.revision !== 1)
        throw new Error(`${world.path} was imported into more than once; take another --folder`);
      const token = await rolebook("token", "create", "--database", url, "--organization", ORGANIZATION);
      worlds.push({ ...world, url, token });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    postgres,
    worlds,
    /** Starts a server. Its CPU includes that of all PostgreSQL processes. */
    async serve(world: World): Promise<Server> {
      const server = await serve(world);
      servers.push(server);
      return {
        ...server,
        async sample() {
          const found = await server.sample();
          return { ...found, processCpu: found.processCpu + familyCpu(postgres.pid() ?? 0) };
        },
      };
    },
    [Symbol.asyncDispose]: close,
  };
}
