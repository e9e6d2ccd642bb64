import { afterAll, beforeAll, describe } from "vitest";
import { postgresPlaces } from "../postgres/place.ts";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";
import { exerciseStore } from "./conformance.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

describe("a server's store", () => exerciseStore(postgresPlaces(() => server)));
