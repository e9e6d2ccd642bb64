/** A pull of many members, in bounded memory. test/long/gitbook.test.ts pulls more. */
import { expect, test } from "vitest";
import { multitude, pullMultitude } from "./multitude.ts";

const MEBIBYTE = 1 << 20;

test("1,000 members are pulled completely in bounded memory", async () => {
  const records = multitude(1000);
  const { status, stderr, peak, records: read } = await pullMultitude(records);
  expect([status, read], stderr).toEqual([0, records.length]);
  expect(peak / MEBIBYTE).toBeLessThan(200);
});
