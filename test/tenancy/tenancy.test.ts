import { describe, test } from "vitest";
import { usePostgres } from "../postgres/use.ts";
import { runScenarios } from "./scenario.ts";
import { twoApps, twoProcesses } from "./deployment.ts";

/**
 * Authorization (docs/api.md) during changes: no data of other organizations is sent, and no ended token is
 * accepted.
 */

test("over two apps, one with caches and one without", async () => {
  await runScenarios(twoApps, 2, { wanted: [200, 304, 401, 403, 404] });
});

test("over two server processes", async () => {
  await runScenarios(twoProcesses, 1, { wanted: [200, 401, 404] });
});

describe("over PostgreSQL", () => {
  const postgres = usePostgres();

  test("two apps, one with caches and one without", async () => {
    await runScenarios(() => twoApps(() => postgres.places.open()), 1, { wanted: [200, 401, 404] });
  });

  test("two server processes", async () => {
    await runScenarios(() => twoProcesses(() => postgres.places.open()), 1, { wanted: [200, 401, 404] });
  });
});
