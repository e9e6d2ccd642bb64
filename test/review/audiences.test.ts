/** Rules about more audiences than are counted at once have the results that each has alone. */
import { expect, test } from "vitest";
import { build } from "../../src/model/builder.ts";
import type { Model } from "../../src/model/model.ts";
import { evaluate, type RuleVerdict } from "../../src/review/check.ts";
import { readRules } from "../../src/review/read-rules.ts";

function resultOf<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

const TEAMS = 13;
const PEOPLE = 2 ** TEAMS;

/** Each member is in another set of teams. */
function manyClasses(): Model {
  const indexes = Array.from({ length: TEAMS }, (_, index) => index);
  return resultOf(
    build(
      { id: "o", title: "O" },
      {
        teams: indexes.map((number) => ({ number, id: `t${100 + number}`, text: "{}" })),
        contents: [
          {
            number: 0,
            key: "space/s",
            parent: undefined,
            level: null,
            created: 0,
            document: { text: "{}", omitted: 0 },
            teams: [{ team: 3, role: "edit" }],
          },
        ],
        members: Array.from({ length: PEOPLE }, (_, member) => ({
          id: `u${10_000 + member}`,
          role: "read",
          document: { text: "{}", omitted: 0 },
          teams: indexes
            .filter((team) => (member >> team) % 2 === 1)
            .map((team) => ({ team, isOwner: false })),
          permissions: [],
        })),
        sites: [],
      },
    ),
  );
}

test("rules with thousands of different audiences count each member once", () => {
  const model = manyClasses();
  const rules = Array.from({ length: TEAMS }, (_, team) => ({
    rule: `only ${team}`,
    who: { team: `t${100 + team}` },
    how: "only",
    what: "everything",
  }));
  const resolved = readRules(JSON.stringify({ rules }), "rules.yaml").map((rule) => ({
    rule,
    gone: [],
    scope: new Uint8Array([1]),
    exceptions: [],
    counting: [],
  }));
  const verdicts: RuleVerdict[] = resultOf(evaluate(model, resolved, 3));
  expect(verdicts.map((verdict) => verdict.resolved.rule.words)).toEqual(rules.map(({ rule }) => rule));
  // Of those in team 3, who have a role, half are not in each other team.
  expect(verdicts.map(({ breaches }) => breaches)).toEqual(
    rules.map((_, team) => (team === 3 ? 0 : PEOPLE / 4)),
  );
  expect(verdicts[0]?.listed.map(({ members }) => members)).toEqual([[8], [10], [12]]);
});
