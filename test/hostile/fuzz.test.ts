import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usePostgres } from "../postgres/use.ts";
import { Line } from "./ask.ts";
import { fuzz } from "./fuzz.ts";
import { tryIds, tryPages } from "./made-up.ts";
import { openTown, type Town } from "./town.ts";

/** Contract, section 6, against requests that nobody would send by hand. */

/** Answers that the requests must reach. */
const STATUSES = [200, 304, 400, 401, 403, 404, 405, 414];

async function fuzzed(town: Town, requests: number): Promise<void> {
  const tally = await fuzz(town, requests);
  for (const status of STATUSES) expect(tally.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
}

test("2,000 random requests: the right status in the right order, the right page, nobody else's data", async () => {
  const town = await openTown();
  try {
    await fuzzed(town, 2_000);
  } finally {
    await town.close();
  }
});

describe("over PostgreSQL", () => {
  const postgres = usePostgres();
  let town: Town;
  beforeAll(async () => {
    town = await openTown(4, () => postgres.places.open());
  });
  afterAll(async () => {
    await town.close();
  });

  test("1,000 random requests get the same answers", () => fuzzed(town, 1_000));

  test("so do ids, titles and page identifiers that no text of a database can hold", async () => {
    const line = new Line(town.port);
    try {
      expect(await tryIds(town, line)).toBeGreaterThan(50);
      const { asked, pages } = await tryPages(town, line);
      expect(pages).toBe(asked);
    } finally {
      line.close();
    }
  });
});
