import { expect, test } from "vitest";
import { csvLines } from "../../src/operations/csv.ts";

/** Names and titles that a spreadsheet would run as formulas. */

test.each(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])(
  "a cell that begins with %j is text",
  (first) => {
    const [cell = ""] = /^.*$/s.exec(csvLines([[`${first}cmd|' /C calc'!A0`, "b"]])) ?? [];
    expect(cell.replace(/^"/, "")).toMatch(/^'/);
  },
);

test("quotes, commas and line ends stay inside their cell", () => {
  expect(csvLines([['a"b', "c,d", "e\r\nf", "g"]])).toBe('"a""b","c,d","e\r\nf",g\r\n');
});
