/** The rules file: its refusals, and its JSON Schema. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/domain/error.ts";
import { isObject } from "../../src/domain/json.ts";
import { readRules } from "../../src/review/read-rules.ts";
import { rulesSchema } from "../../src/review/rules-schema.ts";
import { rolebook } from "../command.ts";
import { acme, textOf } from "../examples/acme.ts";
import { factsOf } from "../oracle/facts.ts";
import { randomRules } from "./random-rules.ts";
import { holds } from "../setup/property.ts";

const accepts = new Ajv2020({ validateFormats: false, strict: false }).compile(rulesSchema());

test("docs/rules.schema.json is what rolebook schema --rules prints", async () => {
  const { status, stdout } = await rolebook(["schema", "--rules"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: textOf("docs/rules.schema.json") });
});

const RULE = "rules:\n  - rule: R\n    what: everything\n    how: none\n";

describe("refuses", () => {
  test.each([
    ["nothing", "", "rules.yaml: the file is null; accepted: rules."],
    ["no rules", "rules: []", "rules.yaml, line 1: rules is []; accepted: a list with at least one entry."],
    ["another field", "rule: x", 'rules.yaml, line 1: the file has "rule"; accepted: rules.'],
    [
      "what is not YAML",
      "rules: [",
      "rules.yaml, line 1: this is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ].",
    ],
    [
      "a field twice",
      `${RULE}    how: all\n`,
      "rules.yaml, line 5: this is not YAML: Map keys must be unique.",
    ],
    ["a rule twice", `${RULE}${RULE.slice(7)}`, 'rules.yaml, line 5: the rule "R" occurs twice.'],
    [
      "a rule without words",
      "rules:\n- what: everything\n  how: none",
      "rules.yaml, line 2: rule is missing; accepted: one line of 1 to 200 characters.",
    ],
    [
      "a rule on nothing",
      "rules:\n- rule: R\n  how: none",
      "rules.yaml, line 2: what is missing; accepted: everything, sites, or one of space, collection, below, site, everything but, or a list of such.",
    ],
    [
      "a misspelt field",
      `${RULE}    form: edit\n`,
      'rules.yaml, line 5: a rule has "form"; accepted: rule, who, what, how, role, from, to, permissions, except.',
    ],
    [
      "another role",
      `${RULE}    from: editor\n`,
      'rules.yaml, line 5: from is "editor"; accepted: read, comment, edit, review, create, admin.',
    ],
    [
      "a guest's role on content",
      `${RULE}    role: guest\n`,
      'rules.yaml, line 5: role is "guest"; accepted: read, comment, edit, review, create, admin.',
    ],
    [
      "a range upside down",
      `${RULE}    from: edit\n    to: read\n`,
      "rules.yaml, line 5: from is edit, above to, read; accepted: from up to to.",
    ],
    [
      "role beside from",
      `${RULE}    from: edit\n    role: read\n`,
      "rules.yaml, line 6: role is given with from or to; accepted: role alone, or from and to.",
    ],
    [
      "a number as an id",
      `${RULE}    who: { team: 12 }\n`,
      "rules.yaml, line 5: team is 12; accepted: an id, in quotes if it is a number.",
    ],
    [
      "two kinds in one",
      `${RULE}    who: { team: a, user: b }\n`,
      'rules.yaml, line 5: who is {"team":"a","user":"b"}; accepted: everybody, guests, or one of team, user, role, everybody but, all of, or a list of such.',
    ],
    [
      "no number",
      `${RULE.replace("none", "{ at most: many }")}`,
      'rules.yaml, line 4: at most is "many"; accepted: a whole number from 0.',
    ],
    [
      "at least none",
      `${RULE.replace("none", "{ at least: 0 }")}`,
      "rules.yaml, line 4: at least is 0; accepted: a whole number from 1.",
    ],
    [
      "an exception without end",
      `${RULE}    except:\n      - who: guests\n        reason: x\n`,
      "rules.yaml, line 6: until is missing; accepted: the last day, such as 2026-12-31.",
    ],
    [
      "a day that is none",
      `${RULE}    except:\n      - who: guests\n        reason: x\n        until: 2026-02-30\n`,
      'rules.yaml, line 8: until is "2026-02-30"; accepted: the last day, such as 2026-12-31.',
    ],
    [
      "an exception without a reason",
      `${RULE}    except:\n      - who: guests\n        until: 2026-12-31\n`,
      "rules.yaml, line 6: reason is missing; accepted: one line of 1 to 200 characters.",
    ],
    [
      "an exception to everything",
      `${RULE}    except:\n      - until: 2026-12-31\n        reason: x\n`,
      "rules.yaml, line 6: an exception has neither who nor what; accepted: one of them, or both.",
    ],
    ...[
      [`${RULE}    who: &a [*a]\n`, 5],
      ["rules: &a [*a]\n", 1],
      ["rules:\n  - &a\n    rule: *a\n", 3],
      [`&a\n${RULE}    except:\n      - who: *a\n`, 7],
      ["&a [&b [*a], *b]\n", 1],
      ["&a {? *a : b}\n", 1],
    ].map(([text, line]): [string, string, string] => [
      `an alias in what it means, on line ${line}`,
      String(text),
      `rules.yaml, line ${line}: the alias *a stands inside what it means, so it never ends.`,
    ]),
  ])("%s", (_, text, message) => {
    expect(() => readRules(text, "rules.yaml")).toThrow(new UsageError(message));
  });

  test("every invalid rule, not only the first", () => {
    const text = `${RULE}    from: x\n${RULE.slice(7)}    to: y\n`;
    expect(() => readRules(text, "r")).toThrow(/line 5: from is "x".*\nr, line 9: to is "y"/);
  });
});

test("YAML as people write it: quotes, comments, a byte order mark, day without quotes", () => {
  const [rule] = readRules(
    "\uFEFF# Ours\nrules:\n- rule: 'No: nothing'\n  what: { space: [a, b] } # two\n  how: { at most: 0 }\n  except:\n  - { who: { user: no }, until: 2026-12-31, reason: y }\n",
    "r",
  );
  expect(rule).toMatchObject({
    words: "No: nothing",
    line: 3,
    exceptions: [{ who: { kind: "user", id: "no" } }],
  });
});

test("the schema accepts exactly what the parser accepts", () => {
  const facts = factsOf(acme, "acme");
  const odd = [
    null,
    0,
    1,
    1.5,
    "",
    "guest",
    "read",
    "organization",
    "2026-13-01",
    [],
    {},
    [{}],
    { team: "a" },
    true,
  ];
  holds(
    fc.property(fc.gen(), (gen) => {
      const draw = <T>(arbitrary: fc.Arbitrary<T>) => gen(() => arbitrary);
      const file: unknown = JSON.parse(JSON.stringify({ rules: randomRules(facts, draw, 1) }));
      const places = objectsIn(file);
      const place = draw(fc.constantFrom(...places));
      const name = draw(
        fc.constantFrom(...Object.keys(place), "role", "who", "what", "how", "permissions", "x"),
      );
      if (draw(fc.boolean())) place[name] = draw(fc.constantFrom<unknown>(...odd));
      else delete place[name];
      const text = JSON.stringify(file);
      expect([text, accepts(file)]).toEqual([text, isRead(text)]);
    }),
    { numRuns: 400 },
  );
});

/** Whether a file is accepted. A refusal for a reason that a schema cannot express counts as accepted. */
function isRead(text: string): boolean {
  try {
    readRules(text, "r");
    return true;
  } catch (error) {
    return /above to|until is "2026-02-30"/.test(String(error));
  }
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
