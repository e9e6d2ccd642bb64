/** The example lines of docs/snapshot.md are those of the example, and its tables have the fields that are accepted. */
import type { TObject, TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { RECORDS } from "../../../src/snapshot/records.ts";
import { validate } from "../../../src/snapshot/validate.ts";
import { oracle } from "../../oracle/oracle.ts";
import { acme, recordsIn, textOf } from "../acme.ts";
import { fenced } from "../../docs/reading/fence.ts";
import { tableHeaded } from "../../docs/reading/table.ts";

const doc = textOf("docs/snapshot.md");
const [tiny = "", ...examples] = fenced(doc, "json");
const kinds = [...new Set(acme.map(({ object }) => object))];

test("the first example is a whole snapshot", () => {
  const answers = oracle(recordsIn(tiny), { publicUrl: "http://localhost:3000" });
  expect(answers.effective("tiny", "ana", { kind: "space", id: "notes" })).toBe("edit");
});

test("every example is accepted", () => {
  for (const record of [...recordsIn(tiny), ...acme]) expect(validate(record)).toEqual(record);
});

test("every other example line is a line of acme.ndjson", () => {
  const lines = new Set(textOf("examples/acme.ndjson").split("\n"));
  const shown = examples.flatMap((block) => block.trimEnd().split("\n"));
  expect(shown.filter((line) => !lines.has(line))).toEqual([]);
  expect(new Set(recordsIn(shown.join("\n")).map(({ object }) => object))).toEqual(new Set(kinds));
});

test("the end record shown is the example's", () => {
  const [end = ""] = fenced(doc, "ndjson");
  expect(JSON.parse(end)).toEqual({ object: "end", records: acme.length });
  expect(validate(JSON.parse(end))).toEqual(JSON.parse(end));
});

describe.each(kinds)("the record %s", (kind) => {
  const section = doc.split(`\n### ${kind}\n`)[1]?.split(/\n##+ /)[0] ?? "";

  test("has a section with an example of its own", () => {
    const shown = fenced(section, "json").flatMap(recordsIn);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown.map(({ object }) => object))).toEqual(new Set([kind]));
  });

  test("has a table of exactly the fields that are accepted", () => {
    const schema: TObject = RECORDS[kind];
    const rows = tableHeaded(section, "Field", "Value").map(([field = "", value = ""]) => ({ field, value }));
    const documented = rows.flatMap(({ field }) => codesIn(field));
    expect(documented.toSorted()).toEqual(fieldsOf(schema).toSorted());

    for (const { field, value } of rows) {
      for (const name of codesIn(field)) {
        // A field "space or collection *" means that one of the two is required.
        const starred = field.includes("*") && !field.includes(" or ");
        expect([name, starred]).toEqual([name, schema.required?.includes(name) ?? false]);
        const inner = schema.properties[name];
        if (inner !== undefined && isObjectSchema(inner)) {
          expect(codesIn(value)).toEqual(expect.arrayContaining(fieldsOf(inner)));
        }
      }
    }
  });
});

test("the error shown is that of the check", () => {
  const [bad = "", message] = fenced(doc, "text")[0]?.split("\n") ?? [];
  expect(message).toBe(`tiny.ndjson:3: ${validate(JSON.parse(bad))}`);
});

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

function fieldsOf(schema: TObject): string[] {
  return Object.keys(schema.properties).filter((name) => name !== "object");
}

function isObjectSchema(schema: TSchema): schema is TObject {
  return "properties" in schema;
}
