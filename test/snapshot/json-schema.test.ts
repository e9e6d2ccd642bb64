/** The published JSON Schema accepts the same lines as the import. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { snapshotSchema } from "../../src/snapshot/json-schema.ts";
import { validate } from "../../src/snapshot/validate.ts";
import { rolebook } from "../command.ts";
import { acme, textOf } from "../examples/acme.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { holds } from "../setup/property.ts";

const accepts = new Ajv2020({
  validateFormats: false,
  strict: true,
  strictTypes: false,
  strictRequired: false,
}).compile(snapshotSchema());

test("docs/snapshot.schema.json is what rolebook schema prints", async () => {
  const { status, stdout } = await rolebook(["schema"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: textOf("docs/snapshot.schema.json") });
});

test("every line of the example is accepted", () => {
  for (const record of acme) expect([record, accepts(record)]).toEqual([record, true]);
});

test("every record of random organizations is accepted", () => {
  holds(
    fc.property(organizations(), (records) => {
      for (const record of records) expect([record, accepts(record)]).toEqual([record, true]);
    }),
  );
});

/** Values that some fields accept and others refuse. */
const VALUES: readonly unknown[] = [
  [
    "",
    ".",
    "..",
    "a",
    "a/b",
    "a b",
    "É",
    "ß".repeat(256),
    "a".repeat(128),
    "a".repeat(129),
    "😀".repeat(255),
  ],
  [
    "\u0000",
    "\u0007",
    "\u0085",
    "line\nbreak",
    "read",
    "Read",
    "admin",
    "inherit",
    "owner",
    "member",
    "live",
  ],
  [
    "private",
    "public",
    "custom",
    "github",
    "http://x",
    "HTTPS://x/é?q",
    "ftp://x",
    "//x",
    "http://",
    "mailto:a@b",
  ],
  ["2025-03-01T09:30:00Z", "2025-03-01t09:30:00.123456+05:45", "2025-03-01", "2025-03-01T09:30:00"],
  ["2025-13-01T09:30:00Z", "2025-03-32T09:30:00Z", "2025-03-01T24:00:00Z", "2025-03-01T09:60:00Z"],
  [null, true, 0, 1, -1, 1.5, 2 ** 53 - 1, 2 ** 53, [], {}, { location: "http://x" }, { location: 1 }],
  [
    { backend: "custom" },
    { backend: "other" },
    { url: "http://x", updatedAt: "2025-03-01T09:30:00Z" },
    { x: 1 },
  ],
].flat();

test("a changed line is accepted by both or by neither", () => {
  const names = [...new Set(acme.flatMap((record) => Object.keys(record))), "surplus", "permissions"];
  let refused = 0;
  holds(
    fc.property(
      fc.constantFrom(...acme),
      fc.constantFrom(...names),
      fc.option(fc.constantFrom(...VALUES), { nil: undefined }),
      (record, name, value) => {
        const { [name]: _, ...others }: Record<string, unknown> = { ...record };
        const changed = value === undefined ? others : { ...others, [name]: value };
        const imported = validate(changed);
        expect([changed, accepts(changed)]).toEqual([changed, typeof imported !== "string"]);
        if (typeof imported === "string") refused++;
      },
    ),
    { numRuns: 5000 },
  );
  expect(refused).toBeGreaterThan(1000);
});

test.each([[[]], ["text"], [null], [{}], [{ object: "person" }], [{ object: null }]])(
  "%j is not a record",
  (line) => {
    expect(accepts(line)).toBe(false);
    expect(typeof validate(line)).toBe("string");
  },
);

describe("only the import checks what a schema cannot express", () => {
  const space = {
    object: "space",
    id: "s",
    organization: "o",
    title: "S",
    updatedAt: "2025-03-01T09:30:00Z",
  };
  test.each([
    ["a day that its month does not have", { ...space, createdAt: "2025-02-30T09:30:00Z" }],
    ["text that is not well-formed", { ...space, createdAt: space.updatedAt, title: "\uD800" }],
    ["an address that cannot be read", { ...space, createdAt: space.updatedAt, urls: { app: "http://[" } }],
  ])("%s", (_, line) => {
    expect(accepts(line)).toBe(true);
    expect(typeof validate(line)).toBe("string");
  });
});
