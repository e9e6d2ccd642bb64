import { expect, test } from "vitest";
import { largeOrganization, pullLargeOrganization } from "../connectors/gitbook/large.ts";
import { writeReliability } from "../../bench/harness/result.ts";

/** A pull of 20,000 members, in bounded memory. */

const MEBIBYTE = 1 << 20;

test("20,000 members are pulled completely in bounded memory", async () => {
  const records = largeOrganization(20_000);
  const { status, stderr, peak, milliseconds, records: read } = await pullLargeOrganization(records);
  expect([status, read], stderr).toEqual([0, records.length]);
  expect(peak / MEBIBYTE).toBeLessThan(350);
  writeReliability("A pull from GitBook", {
    [`${read.toLocaleString("en")} records of 20,000 members`]: `${Math.round(peak / MEBIBYTE)} MiB, ${(milliseconds / 1000).toFixed(1)} s`,
  });
});
