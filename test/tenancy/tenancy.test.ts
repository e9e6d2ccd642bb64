import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresPlaces } from "../postgres/place.ts";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";
import { rehearse } from "./rehearse.ts";
import { twoApps, twoProcesses } from "./theatre.ts";

/** Contract, section 7, while things change: nobody else's data, and no token that outlives its end. */

test("over two apps, one with caches and one without", async () => {
  const tally = await rehearse(twoApps, 2);
  for (const status of [200, 304, 401, 403, 404])
    expect(tally.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
});

test("over two server processes", async () => {
  const tally = await rehearse(twoProcesses, 1);
  for (const status of [200, 401, 404]) expect(tally.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
});

describe("over PostgreSQL", () => {
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

  test("two apps, one with caches and one without", async () => {
    const tally = await rehearse(() => twoApps(() => places.open()), 1);
    for (const status of [200, 401, 404]) expect(tally.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  });

  test("two server processes", async () => {
    const tally = await rehearse(() => twoProcesses(() => places.open()), 1);
    for (const status of [200, 401, 404]) expect(tally.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  });
});
