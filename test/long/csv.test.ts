/** A million rows of each kind are converted in bounded memory. */
import { expect, test } from "vitest";
import { convertSized, expected, type Kind } from "../connectors/csv/sized.ts";
import { writeReliability } from "../../bench/harness/result.ts";

const ROWS = 1_000_000;
const MEBIBYTE = 1 << 20;

/**
 * The limit of memory for each kind of sheet, in MiB. A row of access is kept as a few numbers; people and contents
 * have texts.
 */
const BOUNDS: Readonly<Record<Kind, number>> = { access: 384, effective: 768, people: 1024, content: 1280 };

const WHAT: Readonly<Record<Kind, string>> = {
  access: "access of 2,000 people",
  effective: "effective roles of a million users",
  people: "people",
  content: "content",
};
const figures: Record<string, string> = {};

test.each<Kind>(["access", "effective", "people", "content"])("a million rows of %s", async (kind) => {
  const { status, stderr, peak, records } = await convertSized(kind, ROWS);
  expect([status, stderr]).toEqual([0, ""]);
  expect(records).toEqual(expected(kind, ROWS));
  expect(peak).toBeLessThan(BOUNDS[kind] * MEBIBYTE);
  figures[WHAT[kind]] = `${Math.round(peak / MEBIBYTE)} MiB`;
  writeReliability("A million rows of a spreadsheet", figures);
});
