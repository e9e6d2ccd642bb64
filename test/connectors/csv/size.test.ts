/** Many rows are converted in little memory. test/long/csv.test.ts converts a million. */
import { expect, test } from "vitest";
import { convertSized, expected, type Kind } from "./sized.ts";

const ROWS = 40_000;
/** In bytes: the memory that a few rows need, and room for these rows. */
const BOUND = 256 << 20;

test.each<Kind>(["access", "people"])("%s", async (kind) => {
  const { status, stderr, peak, records, end } = await convertSized(kind, ROWS);
  expect([status, stderr]).toEqual([0, ""]);
  expect(records).toEqual(expected(kind, ROWS));
  expect(end).toBe(Object.values(records).reduce((sum, count) => sum + count, -1));
  expect(peak).toBeLessThan(BOUND);
});
