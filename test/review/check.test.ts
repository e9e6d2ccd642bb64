/** Rules on random organizations agree with a naive implementation, and invalid rules are refused. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveRules } from "../../src/review/check/resolve.ts";
import { evaluate } from "../../src/review/check/evaluate.ts";
import { breachLines } from "../../src/review/check/lines.ts";
import { readRules } from "../../src/review/rules/read.ts";
import { rulesSchema } from "../../src/review/rules/schema.ts";
import { acme } from "../examples/acme.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { type Rule, type Verdict, verdictOf } from "../oracle/rules.ts";
import { inWorld } from "../why/world.ts";
import { ownPlace, type World } from "../world.ts";
import { DAY, randomRules } from "./random-rules.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 20);
const ALL = 100_000;

const accepts = new Ajv2020({ validateFormats: false, strict: false }).compile(rulesSchema());

/** The program's results of rules on one organization. */
async function checkIn(world: World, organization: string, rules: readonly Rule[], limit = ALL) {
  const found = await world.store.registry.organization(organization);
  if (found === undefined) throw new Error(`no organization ${organization}`);
  const reading = world.store.reading(found.current);
  const resolved = await resolveRules(reading, readRules(JSON.stringify({ rules }), "rules.yaml"), DAY);
  const verdicts: Verdict[] = [];
  const listed: number[] = [];
  for (const verdict of await evaluate(reading, resolved, limit)) {
    const lines = await breachLines(reading, verdict);
    listed.push(verdict.breaches);
    verdicts.push({
      rule: verdict.resolved.rule.words,
      contents: verdict.contents,
      breaches: lines.map(({ content, users: [user], count, role }) => ({
        content: content === undefined ? "" : `${content.kind}/${content.id}`,
        ...(count === undefined ? { user: user?.id ?? "", role } : { count }),
      })),
      exceptions: verdict.exceptions.map(({ state, excused }) => ({ state, excused })),
    });
  }
  return { verdicts, counted: listed, unresolved: resolved.unresolved.map(({ rule }) => rule.words) };
}

describe("rules", () => {
  test("say what the oracle says, whichever it is that they name", async () => {
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

  test("count and list a multitude in several chunks, the first of them only", async () => {
    const members = 7000;
    const records: SnapshotRecord[] = [
      ...acme,
      ...Array.from({ length: members }, (_, index): SnapshotRecord[] => [
        { object: "user", id: `x${index}`, displayName: `X ${index}` },
        { object: "member", organization: "acme", user: `x${index}`, role: index % 5 === 0 ? null : "read" },
        ...(index % 7 === 0
          ? [{ object: "teamMember", team: "docs", user: `x${index}`, role: "member" } as const]
          : []),
      ]).flat(),
    ];
    const rules: Rule[] = [
      { rule: "none", who: "guests", what: "everything", how: "none" },
      { rule: "all", who: "everybody", what: { below: "handbook" }, how: "all", from: "edit" },
      { rule: "only", who: { team: "docs" }, what: { collection: "handbook" }, how: "only" },
      { rule: "most", what: "everything", how: { "at most": 3000 }, role: "read" },
      { rule: "organization", who: "guests", what: "organization", how: "none" },
    ];
    await inWorld(ownPlace, async (world) => {
      await world.import(records);
      const facts = factsOf(records, "acme");
      const expected = rules.flatMap((rule) => verdictOf(facts, rule, DAY) ?? []);
      const { verdicts, counted } = await checkIn(world, "acme", rules, 1500);
      expect(counted).toEqual(expected.map(({ breaches }) => breaches.length));
      for (const [index, { rule, breaches }] of verdicts.entries()) {
        expect([rule, breaches]).toEqual([rule, expected[index]?.breaches.slice(0, 1500)]);
      }
    });
  });
});
