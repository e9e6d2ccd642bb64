/** Rules about more people than a chunk has slots. */
import { expect, test } from "vitest";
import { acme } from "../examples/acme.ts";
import { factsOf } from "../oracle/facts.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { type Rule, verdictOf } from "../oracle/reviews/rules.ts";
import { checkIn } from "../review/check-in.ts";
import { DAY } from "../review/random-rules.ts";
import { inWorld } from "../why/world.ts";
import { sqlitePlace } from "../world.ts";

const MEMBERS = 100;
/** The largest number of listed breaches per rule. */
const LISTED = 20;

test("rules count all of many breaches in several chunks, and list the first ones", async () => {
  const records: SnapshotRecord[] = [
    ...acme,
    ...Array.from({ length: MEMBERS }, (_, index): SnapshotRecord[] => [
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
    { rule: "most", what: "everything", how: { "at most": MEMBERS / 2 }, role: "read" },
    { rule: "organization", who: "guests", what: "organization", how: "none" },
  ];
  await inWorld(sqlitePlace, async (world) => {
    await world.import(records);
    const facts = factsOf(records, "acme");
    const expected = rules.flatMap((rule) => verdictOf(facts, rule, DAY) ?? []);
    const { verdicts, counted } = await checkIn(world, "acme", rules, LISTED);
    expect(counted).toEqual(expected.map(({ breaches }) => breaches.length));
    expect(Math.max(...counted)).toBeGreaterThan(LISTED);
    for (const [index, { rule, breaches }] of verdicts.entries()) {
      expect([rule, breaches]).toEqual([rule, expected[index]?.breaches.slice(0, LISTED)]);
    }
  });
});
