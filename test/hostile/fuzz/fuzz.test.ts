import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usePostgres } from "../../postgres/use.ts";
import { Line } from "../ask.ts";
import { fuzz } from "./fuzz.ts";
import { tryIds, tryPages } from "./made-up.ts";
import { openTenants, type Tenants } from "../tenants.ts";

/** Random hostile requests get the answers of docs/errors.md. */

/** Each of these statuses must occur. */
const STATUSES = [200, 304, 400, 401, 403, 404, 405, 414];

async function fuzzed(tenants: Tenants, requests: number): Promise<void> {
  const counts = await fuzz(tenants, requests);
  for (const status of STATUSES) expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
}

test("2,000 random requests: the right status by the order of refusals, the right page, no data of others", async () => {
  const tenants = await openTenants();
  try {
    await fuzzed(tenants, 2_000);
  } finally {
    await tenants.close();
  }
});

describe("over PostgreSQL", () => {
  const postgres = usePostgres();
  let tenants: Tenants;
  beforeAll(async () => {
    tenants = await openTenants(4, () => postgres.places.open());
  });
  afterAll(async () => {
    await tenants.close();
  });

  test("1,000 random requests get the same answers", () => fuzzed(tenants, 1_000));

  test("ids, titles and page identifiers that a database cannot store get the same answers", async () => {
    const line = new Line(tenants.port);
    try {
      expect(await tryIds(tenants, line)).toBeGreaterThan(50);
      const { asked, pages } = await tryPages(tenants, line);
      expect(pages).toBe(asked);
    } finally {
      line.close();
    }
  });
});
