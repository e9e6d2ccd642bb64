/** A pull of many members, in bounded memory. test/long/gitbook.test.ts pulls more. */
import { expect, test } from "vitest";
import { largeOrganization, pullLargeOrganization } from "./large.ts";

const MEBIBYTE = 1 << 20;

test("1,000 members are pulled completely in bounded memory", async () => {
  const records = largeOrganization(1000);
  const { status, stderr, peak, records: read } = await pullLargeOrganization(records);
  expect([status, read], stderr).toEqual([0, records.length]);
  expect(peak / MEBIBYTE).toBeLessThan(200);
});
