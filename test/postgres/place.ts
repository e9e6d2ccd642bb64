import type { OpenPlace } from "../world.ts";
import { migrateDatabase } from "../../src/store/open.ts";
import type { PostgresServer } from "./server.ts";

let places = 0;

/**
 * Places on a server, each a schema of its own in one database: made and removed in some milliseconds, and as far
 * apart as two databases are for a program that names its tables without a schema.
 */
export function postgresPlaces(server: () => PostgresServer): OpenPlace {
  return async () => {
    const schema = `place_${process.pid}_${places++}`;
    await server().query(`CREATE SCHEMA ${schema}`);
    const url = `${server().url()}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
    await migrateDatabase(url);
    return {
      url,
      dispose: async () => {
        await server().query(`DROP SCHEMA ${schema} CASCADE`);
      },
    };
  };
}
