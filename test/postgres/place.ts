import { Client } from "pg";
import { migrate } from "../../src/store/migrations.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import type { OpenPlace } from "../world.ts";

let places = 0;

/**
 * Places on a server, by its URL, each a schema of its own in one database: made and removed in some milliseconds, and as far
 * apart as two databases are for a program that names its tables without a schema. `close` when all are done with.
 */
export function postgresPlaces(server: string): { open: OpenPlace; close(): Promise<void> } {
  let connected: Promise<Client> | undefined;
  const run = async (sql: string) => {
    connected ??= connect(server);
    const client = await connected;
    await client.query(sql);
    return client;
  };
  return {
    async open() {
      const schema = `place_${process.pid}_${places++}`;
      const client = await run(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
      await migrate(new PostgresConnection(client), 0);
      const url = `${server}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
      return { url, dispose: async () => void (await run(`DROP SCHEMA ${schema} CASCADE`)) };
    },
    async close() {
      const client = await connected;
      connected = undefined;
      await client?.end();
    },
  };
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  // Where the server is killed meanwhile, the next statement says so.
  client.on("error", () => {});
  await client.connect();
  return client;
}
