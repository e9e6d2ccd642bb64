/** Everybody within the scope of a report is found, from short lists and by painting, in parts. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey } from "../../src/domain/content.ts";
import { decide } from "../../src/domain/ladder.ts";
import { ROLES } from "../../src/domain/role.ts";
import { build, type MemberRow } from "../../src/model/builder.ts";
import type { Model } from "../../src/model/model.ts";
import { ladderOn, rightsOn } from "../../src/model/why.ts";
import { isWithin, membersWithin, type WhoScope } from "../../src/model/within.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { modelOf } from "./model-of.ts";
import { sayingModels } from "./saying.ts";
import { holds } from "../setup/property.ts";

const RUNS = 3 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
/** The most members of a part. */
const PART = 1000;

function scopesOf({ teams }: Model): WhoScope[] {
  return [
    {},
    { direct: true },
    { guests: true },
    { withoutAdmins: true },
    ...ROLES.map((least) => ({ least })),
    ...ROLES.map((role) => ({ role, withoutAdmins: true })),
    ...teams.ids.map((team) => ({ team })),
    { team: "nowhere" },
    { guests: true, direct: true, least: "edit" },
  ];
}

function expectAll(model: Model): void {
  for (let content = 0; content < model.contents.count; content++) {
    const ladder = ladderOn(model, content);
    for (const scope of scopesOf(model)) {
      const isMeant = (member: number): boolean => {
        const decision = decide(ladder, rightsOn(model, member, content));
        return decision !== undefined && isWithin(model, member, decision, scope);
      };
      const parts = Array.from(membersWithin(model, content, scope), (part) => [...part]);
      expect(Math.max(0, ...parts.map(({ length }) => length))).toBeLessThanOrEqual(PART);
      const all = Array.from({ length: model.members.count }, (_, member) => member);
      expect(parts.flat().filter(isMeant), JSON.stringify(scope)).toEqual(all.filter(isMeant));
    }
  }
}

test("of random organizations", () => {
  holds(
    fc.property(organizations(), (records) => {
      for (const id of organizationIds(records)) expectAll(modelOf(factsOf(records, id)));
    }),
    { numRuns: RUNS },
  );
  holds(
    fc.property(sayingModels, (models) => {
      for (const model of models) expectAll(model);
    }),
    { numRuns: RUNS },
  );
});

test("of an organization with more people than a part has, some on several levels, few in some teams", () => {
  const teams = ["a-all", "b-some", "c-few"].map((id, number) => ({ number, id, text: "{}" }));
  const document = { text: "{}", omitted: 0 };
  const given = (...roles: ("read" | "edit" | "review")[]) => roles.map((role, team) => ({ team, role }));
  const above = {
    number: 0,
    key: contentKey("collection", "above"),
    parent: undefined,
    created: 0,
    document,
  };
  const below = { number: 1, key: contentKey("space", "below"), parent: 0, created: 1, document };
  const rows = {
    teams,
    contents: [
      { ...above, level: null, teams: given("read", "review") },
      { ...below, level: "inherit" as const, teams: [{ team: 2, role: "edit" as const }] },
    ],
    members: Array.from({ length: 2500 }, (_, number): MemberRow => ({
      id: String(number).padStart(4, "0"),
      role: number % 3 === 0 ? null : number % 700 === 1 ? "admin" : "comment",
      document,
      teams: [1, 2, 900].flatMap((every, team) => (number % every === 0 ? [{ team, isOwner: false }] : [])),
      permissions: [
        ...(number % 1000 === 7 ? [{ on: 0, role: "edit" as const }] : []),
        ...(number % 1200 === 5 ? [{ on: 1, role: "read" as const }] : []),
      ],
    })),
    sites: [],
  };
  const work = build({ id: "o", title: "O" }, rows);
  for (;;) {
    const step = work.next();
    if (step.done !== true) continue;
    expectAll(step.value);
    return;
  }
});
