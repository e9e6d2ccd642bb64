import { expect, test } from "vitest";
import { usePostgres } from "../postgres/use.ts";
import { runScenarios } from "../tenancy/scenario.ts";
import { twoApps, twoProcesses } from "../tenancy/deployment.ts";
import { writeReliability } from "../../bench/harness/result.ts";
import { byStatus } from "./figures.ts";

/** Imports, removals, revocations and expiries during requests, many times. */

const postgres = usePostgres();

test("random scenarios over two apps and over two processes, on both stores", async () => {
  const total = new Map<number, number>();
  const played: Record<string, number> = {};
  for (const [name, open, scenarios] of [
    ["over two apps on SQLite", () => twoApps(), 25],
    ["over two processes on SQLite", () => twoProcesses(), 15],
    ["over two apps on PostgreSQL", () => twoApps(() => postgres.places.open()), 15],
    ["over two processes on PostgreSQL", () => twoProcesses(() => postgres.places.open()), 10],
  ] as const) {
    for (const [status, count] of await runScenarios(open, scenarios, { callers: 6 }))
      total.set(status, (total.get(status) ?? 0) + count);
    played[`scenarios played ${name}`] = scenarios;
  }
  for (const status of [200, 304, 401, 403, 404])
    expect(total.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  writeReliability("Organizations apart", {
    ...played,
    "answers judged": [...total.values()].reduce((sum, count) => sum + count, 0),
    "answers by status": byStatus(total),
  });
});
