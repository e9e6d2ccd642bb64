/** Common mistakes in files: each is reported once, in plain words. */
import { expect, test } from "vitest";
import { toLines } from "../../oracle/records.ts";
import { BASE, useRefusing } from "./refusing.ts";

const refusing = useRefusing();

const END = "Nothing was changed.";
const ONE = "accepted: one JSON object per line, without commas between them";
const ARRAY = `wrong.ndjson: the file is a JSON array; ${ONE}, as jq -c '.[]' makes them`;
const UTF16 = "wrong.ndjson: the file is UTF-16; accepted: UTF-8";
const TEXT = toLines(BASE);
const LINES = TEXT.trimEnd().split("\n");
const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each<[string, string | Buffer, string]>([
  ["a JSON array in one line", JSON.stringify(BASE), ARRAY],
  ["a JSON array with an element a line", `[${LINES.join(",\n")}]`, ARRAY],
  ["a JSON array spread out, after blank lines", `\n\n${JSON.stringify(BASE, null, 2)}`, ARRAY],
  [
    "objects spread over lines",
    BASE.map((record) => JSON.stringify(record, null, 2)).join("\n"),
    `wrong.ndjson: the file holds objects of several lines; ${ONE}, as jq -c . makes them`,
  ],
  ["UTF-16 as Windows saves it", Buffer.from(`\ufeff${TEXT}`, "utf16le"), UTF16],
  ["UTF-16 without a mark", Buffer.from(TEXT, "utf16le"), UTF16],
  ["UTF-16 the other way round", bigEndian(`\ufeff${TEXT}`), UTF16],
  ["UTF-16 the other way round, without a mark", bigEndian(TEXT), UTF16],
  [
    "a comma behind each line",
    LINES.map((line) => `${line},`).join("\n"),
    `wrong.ndjson:1: the line ends with a comma; accepted: one JSON object per line, and nothing between lines (and in ${BASE.length - 1} more lines)`,
  ],
  [
    "null where a field has no value",
    TEXT.replaceAll('"object":"user",', '"object":"user","email":null,'),
    "wrong.ndjson:3: user.email is null; accepted: well-formed text without U+0000; omit the field if it has no value (and in 2 more lines)",
  ],
  [
    "another encoding",
    Buffer.from(TEXT.replaceAll('"Ana"', '"Åna"').replaceAll('"Ben"', '"Bën"'), "latin1"),
    "wrong.ndjson:3: the line is not UTF-8, but perhaps windows-1252; accepted: UTF-8 (and in 1 more line)",
  ],
])("%s", async (_, bytes, message) => {
  expect(await refusing.current.refusal(bytes)).toBe(`${message}\n${END}`);
});

test("an error that differs by line is reported for each line", async () => {
  const said = await refusing.current.refusal(`${TEXT}{"object":"x"}\n{"object":"y"}\n{"object":"x"}\n`);
  expect(said.split("\n").map((line) => line.split("accepted")[0])).toEqual([
    `wrong.ndjson:${BASE.length + 1}: object is "x"; `,
    `wrong.ndjson:${BASE.length + 2}: object is "y"; `,
    END,
  ]);
  expect(said.split("\n")[0]).toMatch(/ \(and in 1 more line\)$/);
});
