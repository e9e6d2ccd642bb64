import { describe, expect, test } from "vitest";
import { usePostgres } from "../postgres/use.ts";
import { runScenarios } from "./scenario.ts";
import { twoApps, twoProcesses } from "./deployment.ts";

/**
 * Authorization (docs/api.md) during changes: no data of other organizations is sent, and no ended token is
 * accepted.
 */

test("over two apps, one with caches and one without", async () => {
  const counts = await runScenarios(twoApps, 2);
  for (const status of [200, 304, 401, 403, 404])
    expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
});

test("over two server processes", async () => {
  const counts = await runScenarios(twoProcesses, 1);
  for (const status of [200, 401, 404]) expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
});

describe("over PostgreSQL", () => {
  const postgres = usePostgres();

  test("two apps, one with caches and one without", async () => {
    const counts = await runScenarios(() => twoApps(() => postgres.places.open()), 1);
    for (const status of [200, 401, 404]) expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  });

  test("two server processes", async () => {
    const counts = await runScenarios(() => twoProcesses(() => postgres.places.open()), 1);
    for (const status of [200, 401, 404]) expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  });
});
