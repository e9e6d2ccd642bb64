/** The results of rules on random organizations agree with a naive implementation, and invalid rules are refused. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rulesSchema } from "../../src/review/rules-schema.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { verdictOf } from "../oracle/reviews/rules.ts";
import { inWorld } from "../store/why.ts";
import { ownPlace } from "../world.ts";
import { checkIn } from "./check-in.ts";
import { DAY, randomRules } from "./random-rules.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 12);

const accepts = new Ajv2020({ validateFormats: false, strict: false }).compile(rulesSchema());

describe("rules", () => {
  test("have the oracle's results, whatever they name", async () => {
    await fc.assert(
      fc.asyncProperty(organizations({ maxPermissions: 40 }), fc.gen(), async (records, gen) => {
        await inWorld(ownPlace, async (world) => {
          await world.import(records);
          for (const organization of organizationIds(records)) {
            const facts = factsOf(records, organization);
            const rules = randomRules(facts, (arbitrary) => gen(() => arbitrary), 12);
            const expected = rules.map((rule) => ({ rule: rule.rule, verdict: verdictOf(facts, rule, DAY) }));
            const there = expected.flatMap(({ verdict }) => verdict ?? []);
            const all = await checkIn(world, organization, rules);
            expect(all.verdicts).toEqual(there);
            expect(all.unresolved).toEqual(
              expected.flatMap(({ rule, verdict }) => (verdict === undefined ? [rule] : [])),
            );
            const few = await checkIn(world, organization, rules, 2);
            expect(few.counted).toEqual(there.map(({ breaches }) => breaches.length));
            expect(few.verdicts.map(({ breaches }) => breaches)).toEqual(
              there.map(({ breaches }) => breaches.slice(0, 2)),
            );
            expect([accepts({ rules }), accepts.errors]).toEqual([true, null]);
          }
        });
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
