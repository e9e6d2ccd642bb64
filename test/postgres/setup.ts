import { afterAll, beforeAll } from "vitest";
import { useStore } from "../world.ts";
import { postgresPlaces } from "./place.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

/** Before a test file that runs on every store: this time its places are on a PostgreSQL. */

let server: PostgresServer;
let places: ReturnType<typeof postgresPlaces>;

beforeAll(async () => {
  server = await startPostgres();
  places = postgresPlaces(server);
  useStore(() => places.open());
});
afterAll(async () => {
  await places.close();
  await server.close();
});
