import { beforeAll } from "vitest";
import { postgresPlaces } from "./place.ts";
import { type PostgresServer, startPostgres } from "./server/server.ts";

/** One server for all test files of this process; it ends with the process. */
let started: Promise<PostgresServer> | undefined;

/** A PostgreSQL with places for the tests of the calling file or `describe`. It starts before their hooks. */
export function usePostgres(): {
  readonly server: PostgresServer;
  readonly places: ReturnType<typeof postgresPlaces>;
} {
  let server: PostgresServer | undefined;
  let places: ReturnType<typeof postgresPlaces> | undefined;
  beforeAll(async () => {
    server = await (started ??= startPostgres());
    places = postgresPlaces(server.url());
  });
  return {
    get server() {
      return running(server);
    },
    get places() {
      return running(places);
    },
  };
}

function running<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("PostgreSQL runs only while the tests do.");
  return part;
}
