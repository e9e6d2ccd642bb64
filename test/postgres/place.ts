import { Client } from "pg";
import { migrate } from "../../src/store/schema/migrations.ts";
import { PostgresConnection } from "../../src/store/engine/postgres/connection.ts";
import type { OpenPlace } from "../world.ts";

let places = 0;

/**
 * Places on a server, given by its URL. Each place is a schema of one database, created and removed in milliseconds. A
 * program that names its tables without a schema sees only those of its place, as in a separate database. `prepare` runs
 * in each new place; `settings` apply to the program's sessions.
 */
export function postgresPlaces(
  server: string,
  prepare: (client: Client) => Promise<unknown> = async () => {},
  settings = "",
): { open: OpenPlace } {
  return {
    async open() {
      const schema = `place_${process.pid}_${places++}`;
      await during(server, async (client) => {
        await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
        await migrate(new PostgresConnection(client), 0);
        await prepare(client);
      });
      return {
        // A busy machine may take longer than the usual limit to connect.
        url: `${server}?connect_timeout=60&options=${encodeURIComponent(`-c search_path=${schema}${settings}`)}`,
        dispose: () =>
          during(server, async (client) => void (await client.query(`DROP SCHEMA ${schema} CASCADE`))),
      };
    },
  };
}

/** Uses a session of its own, because a test that timed out may still be opening places. */
async function during(connectionString: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
