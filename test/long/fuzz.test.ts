import { expect, test } from "vitest";
import { fuzz } from "../hostile/fuzz/fuzz.ts";
import { openTenants } from "../hostile/tenants.ts";
import { postgresPlaces } from "../postgres/place.ts";
import { startPostgres } from "../postgres/server/server.ts";
import { type OpenPlace, sqlitePlace } from "../world.ts";
import { writeReliability } from "../../bench/harness/result.ts";
import { byStatus } from "./figures.ts";

/** Many random hostile requests. */

const RUNS = 100_000;
const WORLDS = 4;

test("100,000 random requests to four worlds, half of them on PostgreSQL", async () => {
  const server = await startPostgres();
  const places = postgresPlaces(server.url());
  const stores: Record<string, OpenPlace> = { SQLite: sqlitePlace, PostgreSQL: () => places.open() };
  const figures: Record<string, number> = {};
  const total = new Map<number, number>();
  try {
    for (let seed = 1; seed <= WORLDS; seed++) {
      const store = seed % 2 === 0 ? "PostgreSQL" : "SQLite";
      const tenants = await openTenants(seed, stores[store]);
      try {
        for (const [status, count] of await fuzz(tenants, RUNS / WORLDS)) {
          total.set(status, (total.get(status) ?? 0) + count);
          const name = `random requests judged on ${store}`;
          figures[name] = (figures[name] ?? 0) + count;
        }
      } finally {
        await tenants.close();
      }
    }
  } finally {
    await server.close();
  }
  const requests = [...total.values()].reduce((sum, count) => sum + count, 0);
  expect(requests).toBeGreaterThanOrEqual(RUNS);
  expect(total.has(500)).toBe(false);
  writeReliability("Hostile requests", { ...figures, "answers by status": byStatus(total) });
});
