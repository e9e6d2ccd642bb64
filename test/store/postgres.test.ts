import { afterAll, beforeAll, describe } from "vitest";
import { postgresPlaces } from "../postgres/place.ts";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";
import type { Place } from "../world.ts";
import { exerciseStore } from "./conformance.ts";

let server: PostgresServer;
let places: ReturnType<typeof postgresPlaces>;

beforeAll(async () => {
  server = await startPostgres();
  places = postgresPlaces(server);
});
afterAll(async () => {
  await places.close();
  await server.close();
});

describe("a server's store", () => exerciseStore((): Promise<Place> => places.open(), 1 / 3));
