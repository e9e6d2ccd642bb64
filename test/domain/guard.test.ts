/** The refusals of the guard (docs/snapshot.md), and their wording. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge, type Portion, type Prospect, refusalOf, type Risk, RISKS } from "../../src/domain/guard.ts";
import { holds } from "../setup/property.ts";

const NONE: Portion = { affected: 0, of: 1000 };

function prospect(portions: Partial<Record<Risk, Portion>>, others: Partial<Prospect> = {}): Prospect {
  return {
    organization: "acme",
    title: "Acme",
    first: false,
    members: 10,
    portions: {
      member: NONE,
      team: NONE,
      teamMember: NONE,
      permission: NONE,
      siteSpace: NONE,
      admin: NONE,
      formerGuest: NONE,
      openedContent: NONE,
      ...portions,
    },
    ...others,
  };
}

function refused(risk: Risk, affected: number, of: number): boolean {
  const { risks, empty } = judge(prospect({ [risk]: { affected, of } }), {});
  expect(empty).toBe(false);
  expect(risks.every((each) => each === risk)).toBe(true);
  return risks.length > 0;
}

describe("removals: more than ten and more than a fifth, or all of three or more", () => {
  test.each(["member", "team", "teamMember", "permission", "siteSpace"] as const)("%s", (risk) => {
    expect(refused(risk, 10, 11)).toBe(false);
    expect(refused(risk, 11, 12)).toBe(true);
    expect(refused(risk, 11, 55)).toBe(false);
    expect(refused(risk, 11, 54)).toBe(true);
    expect(refused(risk, 200, 1000)).toBe(false);
    expect(refused(risk, 201, 1000)).toBe(true);
    expect(refused(risk, 2, 2)).toBe(false);
    expect(refused(risk, 3, 3)).toBe(true);
    expect(refused(risk, 3, 4)).toBe(false);
    expect(refused(risk, 0, 0)).toBe(false);
  });
});

describe("promotions: more than two and more than a fifth of the members", () => {
  test.each(["admin", "formerGuest"] as const)("%s", (risk) => {
    expect(refused(risk, 2, 2)).toBe(false);
    expect(refused(risk, 2, 3)).toBe(false);
    expect(refused(risk, 3, 3)).toBe(true);
    expect(refused(risk, 3, 14)).toBe(true);
    expect(refused(risk, 3, 15)).toBe(false);
    expect(refused(risk, 4, 15)).toBe(true);
  });
});

test("openings: at least two and more than a fifth of the closed contents", () => {
  expect(refused("openedContent", 1, 1)).toBe(false);
  expect(refused("openedContent", 2, 2)).toBe(true);
  expect(refused("openedContent", 2, 9)).toBe(true);
  expect(refused("openedContent", 2, 10)).toBe(false);
  expect(refused("openedContent", 3, 15)).toBe(false);
  expect(refused("openedContent", 3, 14)).toBe(true);
});

test("a first import without members, but no other one", () => {
  const empty = (others: Partial<Prospect>) => judge(prospect({}, others), {}).empty;
  expect(empty({ first: true, members: 0 })).toBe(true);
  expect(empty({ first: true, members: 1 })).toBe(false);
  expect(empty({ first: false, members: 0 })).toBe(false);
});

const portion = fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 60 })).map(([a, b]): Portion => ({
  affected: Math.min(a, b),
  of: Math.max(a, b),
}));
const prospects = fc
  .record({
    first: fc.boolean(),
    members: fc.nat({ max: 3 }),
    portions: fc.record({
      member: portion,
      team: portion,
      teamMember: portion,
      permission: portion,
      siteSpace: portion,
      admin: portion,
      formerGuest: portion,
      openedContent: portion,
    }),
  })
  .map((drawn): Prospect => ({ organization: "acme", title: "Acme", ...drawn }));

test("a confirmed risk is never refused, and a confirmation allows nothing else", () => {
  holds(
    fc.property(prospects, (drawn) => {
      const asked = judge(drawn, {});
      expect(judge(drawn, { removals: true })).toEqual({ risks: [], empty: asked.empty });
      expect(judge(drawn, { empty: true })).toEqual({ risks: asked.risks, empty: false });
      expect(judge(drawn, { removals: true, empty: true })).toEqual({ risks: [], empty: false });
    }),
  );
});

test("each risk is judged separately, and a greater one is refused too", () => {
  holds(
    fc.property(prospects, fc.constantFrom(...RISKS), fc.nat({ max: 60 }), (drawn, risk, more) => {
      const { affected, of } = drawn.portions[risk];
      const portions = { ...drawn.portions, [risk]: { affected: Math.min(of, affected + more), of } };
      const [before, after] = [judge(drawn, {}), judge({ ...drawn, portions }, {})];
      expect(after.risks).toEqual(expect.arrayContaining([...before.risks]));
      expect(after.risks.filter((each) => each !== risk)).toEqual(
        before.risks.filter((each) => each !== risk),
      );
    }),
  );
});

describe("the refusal", () => {
  test("gives the counts, the first names, and the option that confirms", () => {
    const asked = prospect({
      teamMember: { affected: 24, of: 24 },
      admin: { affected: 1, of: 34 },
    });
    const named = { teamMember: ["ana (Ana Lima) in docs (Docs)", "b\u001b[2Jen in docs"], admin: ["kofi"] };
    expect(refusalOf(asked, judge(asked, {}), named)).toBe(
      [
        "Refused, and nothing was changed: organization acme (Acme)",
        "  24 of 24 team memberships would go:",
        "    ana (Ana Lima) in docs (Docs)",
        "    b [2Jen in docs",
        "    … and 22 more",
        "Beside that:",
        "  1 of 34 members would become admins:",
        "    kofi",
        "If this is intended, add --allow-removals.",
      ].join("\n"),
    );
  });

  test("of a new organization without members names the other option", () => {
    const asked = prospect({}, { first: true, members: 0, title: "A\nB" });
    expect(refusalOf(asked, judge(asked, {}), {})).toBe(
      "Refused, and nothing was changed: organization acme (A B)\n  would be created without members. If this is intended, add --allow-empty.",
    );
  });
});
