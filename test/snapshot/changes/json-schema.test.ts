/** The published JSON Schema accepts the same lines of a change file as `rolebook apply`. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { validateChange } from "../../../src/snapshot/changes/records.ts";
import { changesSchema } from "../../../src/snapshot/json-schema.ts";
import { rolebook } from "../../command.ts";
import { acme, textOf } from "../../examples/acme.ts";
import { removalOf } from "../../oracle/files/change-file.ts";
import { holds } from "../../setup/property.ts";

const accepts = new Ajv2020({
  validateFormats: false,
  strict: true,
  strictTypes: false,
  strictRequired: false,
}).compile(changesSchema());

test("docs/changes.schema.json is what rolebook schema --changes prints", async () => {
  const { status, stdout } = await rolebook(["schema", "--changes"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: textOf("docs/changes.schema.json") });
});

const LINES: readonly object[] = [
  { object: "changes", organization: "acme", base: 3, id: "once" },
  { object: "end", records: 7 },
  ...acme,
  ...acme.flatMap((record) => removalOf(record) ?? []),
  { object: "team", id: "docs", removed: true, with: "all" },
];

test("every record, its removal and the header are accepted", () => {
  for (const line of LINES) expect([line, accepts(line)]).toEqual([line, true]);
});

test("a changed line is accepted by both or by neither", () => {
  const names = [...new Set(LINES.flatMap((line) => Object.keys(line))), "surplus"];
  const values = [null, true, false, "all", "none", "docs", "a b", 0, 1, -1, 1.5, "changes", "user", {}];
  let refused = 0;
  holds(
    fc.property(
      fc.constantFrom(...LINES),
      fc.constantFrom(...names),
      fc.option(fc.constantFrom(...values), { nil: undefined }),
      (line, name, value) => {
        const { [name]: _, ...others }: Record<string, unknown> = { ...line };
        const changed = value === undefined ? others : { ...others, [name]: value };
        const said = validateChange(changed);
        expect([changed, accepts(changed)]).toEqual([changed, typeof said !== "string"]);
        if (typeof said === "string") refused++;
      },
    ),
    { numRuns: 3000 },
  );
  expect(refused).toBeGreaterThan(500);
});
