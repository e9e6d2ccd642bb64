import { expect, test } from "vitest";
import { rehearse } from "../tenancy/rehearse.ts";
import { twoApps, twoProcesses } from "../tenancy/theatre.ts";
import { tallied, writeFigures } from "./figures.ts";

/** Imports, removals, revocations and expiries while requests run, again and again. */

test("random scenes over two apps and over two processes", async () => {
  const apps = await rehearse(twoApps, 30, 6);
  const processes = await rehearse(twoProcesses, 20, 6);
  const total = new Map(apps);
  for (const [status, count] of processes) total.set(status, (total.get(status) ?? 0) + count);
  for (const status of [200, 304, 401, 403, 404])
    expect(total.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  writeFigures("tenancy", {
    "scenes played": 50,
    "answers judged": [...total.values()].reduce((sum, count) => sum + count, 0),
    "answers by status": tallied(total),
  });
});
