/** The results of rules on random organizations agree with a naive implementation, and invalid rules are refused. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rulesSchema } from "../../src/review/rules-schema.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import { verdictOf } from "../oracle/reviews/rules.ts";
import { inWorld } from "../store/why.ts";
import { ownPlace } from "../world.ts";
import { checkIn } from "./check-in.ts";
import { DAY, type Named, randomRules } from "./random-rules.ts";
import { holds } from "../setup/property.ts";
import { drawUntil } from "../setup/seed.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 12);

const accepts = new Ajv2020({ validateFormats: false, strict: false }).compile(rulesSchema());

describe("rules", () => {
  test("have the oracle's results, whatever they name", async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(histories({ maxPermissions: 40 }, 2), fc.gen(), async (states, gen) => {
      await inWorld(ownPlace, async (world) => {
        for (const records of states) await world.import(records);
        const records = states.at(-1) ?? [];
        for (const organization of organizationIds(records)) {
          const facts = factsOf(records, organization);
          const kept = states
            .filter((each) => organizationIds(each).includes(organization))
            .map((each) => factsOf(each, organization));
          const rules = randomRules(everNamed(kept), (arbitrary) => gen(() => arbitrary), 12);
          const expected = rules.map((rule) => ({
            rule: rule.rule,
            verdict: verdictOf(facts, rule, DAY, kept),
          }));
          for (const { verdict } of expected) seen.add(typeof verdict === "object" ? "checked" : verdict);
          const there = expected.flatMap(({ verdict }) => (typeof verdict === "object" ? [verdict] : []));
          const all = await checkIn(world, organization, rules);
          expect(all.verdicts).toEqual(there);
          expect(all.unresolved).toEqual(expected.filter(({ verdict }) => typeof verdict !== "object"));
          const few = await checkIn(world, organization, rules, 2);
          expect(few.counted).toEqual(there.map(({ breaches }) => breaches.length));
          expect(few.verdicts.map(({ breaches }) => breaches)).toEqual(
            there.map(({ breaches }) => breaches.slice(0, 2)),
          );
          expect([accepts({ rules }), accepts.errors]).toEqual([true, null]);
        }
      });
    });
    const all = ["cannot be checked", "checked", "misspelt"];
    await drawUntil(
      () => RUNS <= 10 || all.every((each) => seen.has(each)),
      (seed) => holds(property, { numRuns: RUNS, seed }),
    );
  });
});

/** Everything that some states had. */
function everNamed(states: readonly Named[]): Named {
  return {
    teams: new Map(states.flatMap(({ teams }) => [...teams])),
    members: new Map(states.flatMap(({ members }) => [...members])),
    spaces: new Map(states.flatMap(({ spaces }) => [...spaces])),
    collections: new Map(states.flatMap(({ collections }) => [...collections])),
    sites: new Map(states.flatMap(({ sites }) => [...sites])),
  };
}

test("a rule on direct permissions sees those on a site", async () => {
  await inWorld(ownPlace, async (world) => {
    await world.import([
      { object: "organization", id: "o", title: "O" },
      { object: "user", id: "u", displayName: "U" },
      { object: "member", organization: "o", user: "u", role: "read" },
      { object: "site", id: "w", organization: "o", title: "W" },
      { object: "site", id: "silent", organization: "o", title: "Silent" },
      { object: "permission", site: "w", user: "u", permission: "edit" },
    ]);
    for (const what of ["everything", "sites", { site: "w" }] as const) {
      const rule = { rule: "r", what, how: "none", permissions: "direct" } as const;
      const { verdicts } = await checkIn(world, "o", [rule]);
      const breaches = [{ content: "site/w", user: "u", role: "edit" }];
      expect(verdicts).toEqual([{ rule: "r", contents: 1, breaches, exceptions: [] }]);
    }
  });
});
