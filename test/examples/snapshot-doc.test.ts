/** docs/snapshot.md shows the example's own lines and the producers as they are. */
import { describe, expect, test } from "vitest";
import { oracle } from "../oracle/oracle.ts";
import { acme, recordsIn, textOf } from "./acme.ts";
import { fenced } from "./fence.ts";

const doc = textOf("docs/snapshot.md");
const [tiny = "", ...examples] = fenced(doc, "json");
const kinds = [...new Set(acme.map(({ object }) => object))];

test.each([
  ["ts", "examples/producer.ts"],
  ["python", "examples/producer.py"],
])("the %s block is %s, word for word", (language, path) => {
  expect(fenced(doc, language)).toEqual([textOf(path)]);
});

test("the csv blocks are the two spreadsheets", () => {
  expect(fenced(doc, "csv")).toEqual([textOf("examples/people.csv"), textOf("examples/access.csv")]);
});

test("the first example is a whole snapshot", () => {
  const answers = oracle(recordsIn(tiny), { publicUrl: "http://localhost:3000" });
  expect(answers.effective("tiny", "ana", { kind: "space", id: "notes" })).toBe("edit");
});

test("every other example line is a line of acme.ndjson", () => {
  const lines = new Set(textOf("examples/acme.ndjson").split("\n"));
  const shown = examples.flatMap((block) => block.trimEnd().split("\n"));
  expect(shown.filter((line) => !lines.has(line))).toEqual([]);
  expect(new Set(recordsIn(shown.join("\n")).map(({ object }) => object))).toEqual(new Set(kinds));
});

describe.each(kinds)("the record %s", (kind) => {
  const section = doc.split(`\n### ${kind}\n`)[1]?.split(/\n##+ /)[0] ?? "";

  test("has a section with an example of its own", () => {
    const shown = fenced(section, "json").flatMap(recordsIn);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown.map(({ object }) => object))).toEqual(new Set([kind]));
  });

  test("has every field that the example uses, the inner ones included", () => {
    const named = new Set([...section.matchAll(/`(\w+)`/g)].map((match) => match[1]));
    const used = acme.filter(({ object }) => object === kind).flatMap(namesIn);
    expect(used.filter((name) => name !== "object" && !named.has(name))).toEqual([]);
  });
});

function namesIn(value: object): string[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "object" && inner !== null ? [name, ...namesIn(inner)] : [name],
  );
}
