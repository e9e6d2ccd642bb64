import Papa from "papaparse";
import { expect, test } from "vitest";
import { plainCell } from "../../src/domain/cell.ts";
import { csvLines } from "../../src/operations/csv.ts";

/** Names and titles that a spreadsheet would run as formulas. */

test.each(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])(
  "a cell that begins with %j is text",
  (first) => {
    const [cell = ""] = /^.*$/s.exec(csvLines([[`${first}cmd|' /C calc'!A0`, "b"]])) ?? [];
    expect(cell.replace(/^"/, "")).toMatch(/^'/);
  },
);

/** What Unicode calls white space, and the byte order mark, which programs drop like white space. */
const WHITE = [..."\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"];

/** A cell as it stands in the file. */
function writtenOf(cell: string): string | undefined {
  return Papa.parse<string[]>(csvLines([["b", cell]]), { delimiter: "," }).data[0]?.[1];
}

test("white space before the first sign of a formula changes nothing, and readers get every cell back", () => {
  const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];
  const formulas = [...WHITE, ...WHITE.map((white) => `${white} \t${white}`)].flatMap((white) =>
    signs.map((sign) => `${white}${sign}1`),
  );
  for (const formula of formulas) {
    for (const [cell, isEscaped] of [
      [formula, true],
      [`'${formula}`, true],
      [`''${formula}`, true],
      [`x${formula}`, false],
    ] as const) {
      const written = writtenOf(cell);
      expect([written, plainCell(written ?? "")]).toEqual([isEscaped ? `'${cell}` : cell, cell]);
    }
  }
  for (const cell of [" x", "'x", "' x", "a =b", "\u00a0"]) {
    const written = writtenOf(cell);
    expect([written, plainCell(written ?? "")]).toEqual([cell, cell]);
  }
});

test("quotes, commas and line ends stay inside their cell", () => {
  expect(csvLines([['a"b', "c,d", "e\r\nf", "g"]])).toBe('"a""b","c,d","e\r\nf",g\r\n');
});
