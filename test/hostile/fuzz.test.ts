import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";
import { openTown, type Town } from "./town.ts";

/** Contract, section 6, against requests that nobody would send by hand. */

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

test("2,000 random requests: the right status in the right order, the right page, nobody else's data", async () => {
  const tally = await fuzz(town, 2_000);
  // The requests reach every answer that they can.
  for (const status of [200, 304, 400, 401, 403, 404, 405, 414])
    expect(tally.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
});
