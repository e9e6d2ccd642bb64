/** Whole lists say of everybody and everything what `decide` says, with the reason, and who is new in them. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decide, type Decision, type MemberRights } from "../../src/domain/ladder.ts";
import { rank } from "../../src/domain/role.ts";
import { byCreation, deletedPlaces } from "../../src/model/spaces.ts";
import { keyOf, memberId, type Model } from "../../src/model/model.ts";
import { newOrRisen, newOrRisenSpaces } from "../../src/model/newcomers.ts";
import { BY_ORGANIZATION, BY_SITE, BY_TEAM, DIRECT, ROLE, THROUGH } from "../../src/model/code.ts";
import { contentDocument } from "../../src/model/records.ts";
import { countRoles, narrowed, nextOn, rolesIn, rowOn, sheetOf } from "../../src/model/sheets.ts";
import { ladderOn, rightsOn } from "../../src/model/why.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { modelOf } from "./model-of.ts";
import { sayingModels } from "./saying.ts";
import { holds } from "../setup/property.ts";

const RUNS = 3 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

function done<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

/** The byte of a decision; `through` is the id of a team. */
function codeFor(decision: Decision | undefined, through: string | undefined): number {
  if (decision === undefined) return 0;
  const { rule, team } = decision;
  const by = {
    admin: BY_ORGANIZATION,
    organization: BY_ORGANIZATION,
    direct: DIRECT,
    team: BY_TEAM,
    default: 0,
  };
  const bySite = decision.site === undefined ? 0 : BY_SITE;
  return rank(decision.role) | by[rule] | bySite | (team !== undefined && team === through ? THROUGH : 0);
}

function eachModel(check: (model: Model) => void): void {
  holds(
    fc.property(organizations(), fc.boolean(), (records, reversed) => {
      for (const id of organizationIds(records)) check(modelOf(factsOf(records, id), reversed));
    }),
    { numRuns: RUNS },
  );
  holds(
    fc.property(sayingModels, (models) => {
      for (const model of models) check(model);
    }),
    { numRuns: RUNS },
  );
}

/** Each team, and none. */
function teamsOf(model: Model): (number | undefined)[] {
  return [undefined, ...numbersTo(model.teams.count)];
}

test("the list of a content or a site has everybody's role, what gives it, and whether a team does", () => {
  eachModel((model) => {
    const members = numbersTo(model.members.count);
    for (const through of teamsOf(model)) {
      const id = through === undefined ? undefined : model.teams.ids[through];
      const codeOn = (member: number, content: number, site?: number) =>
        codeFor(decide(ladderOn(model, content, site), rightsOn(model, member, content)), id);
      for (const content of numbersTo(model.contents.count)) {
        const { codes } = done(sheetOf(model, { of: "content", content }, through));
        expect([...codes]).toEqual(members.map((member) => codeOn(member, content)));
      }
      for (const site of numbersTo(model.sites.count)) {
        const { codes, spaces } = done(sheetOf(model, { of: "site", site }, through));
        for (const member of members) {
          const code = codes[member] ?? 0;
          if (code !== 0) expect(code).toBe(codeOn(member, spaces?.[member] ?? 0, site));
        }
      }
    }
  });
});

test("the spaces of a member, and those that a team opens, with what gives each role", () => {
  eachModel((model) => {
    const { order } = byCreation(model);
    const { teams } = model;
    for (const through of teamsOf(model)) {
      const id = through === undefined ? undefined : teams.ids[through];
      for (const member of numbersTo(model.members.count)) {
        const { codes } = done(sheetOf(model, { of: "spaces", member }, through));
        const decided = Array.from(order, (x) => decide(ladderOn(model, x), rightsOn(model, member, x)));
        expect([...codes]).toEqual(decided.map((decision) => codeFor(decision, id)));
      }
      if (through === undefined || id === undefined) continue;
      const alone: MemberRights = { role: null, teams: [id], direct: new Map() };
      const { codes } = done(sheetOf(model, { of: "opened", team: through }));
      expect([...codes]).toEqual(
        Array.from(order, (x) => codeFor(decide(ladderOn(model, x), alone), undefined)),
      );
    }
  });
});

test("counts, pages and the place of a row agree, also of a list with a filter", () => {
  eachModel((model) => {
    const members = numbersTo(model.members.count);
    for (const content of numbersTo(model.contents.count)) {
      const whole = done(sheetOf(model, { of: "content", content }));
      const some = members.filter((member) => member % 2 === 0);
      const wanted = { within: [some], without: [[0]], accepts: (code: number) => (code & BY_TEAM) === 0 };
      for (const sheet of [whole, narrowed(whole, wanted)]) {
        const counts = countRoles(sheet);
        for (const ranks of [[1, 2, 3, 4, 5, 6], [2, 6], [3], []]) {
          const rows = members.filter((member) => ranks.includes((sheet.codes[member] ?? 0) & ROLE));
          expect(ranks.reduce((sum, each) => sum + (counts[each] ?? 0), 0)).toBe(rows.length);
          for (const way of [1, -1] as const) {
            const listed = way === 1 ? rows : rows.toReversed();
            for (const [row, member] of [...listed, undefined].entries()) {
              expect(rowOn(sheet, ranks, { row, way })).toBe(member);
              if (member === undefined) continue;
              expect(nextOn(sheet, ranks, { from: member, most: 2, way })).toEqual(
                listed.slice(row, row + 2),
              );
            }
          }
        }
      }
      expect(narrowed(whole, wanted).codes).toEqual(
        whole.codes.map((code, at) => (some.includes(at) && at > 0 && wanted.accepts(code) ? code : 0)),
      );
      expect(done(rolesIn(model, { of: "content", content }))).toEqual(countRoles(whole));
    }
  });
});

test("deleted spaces are those whose records say so", () => {
  eachModel((model) => {
    const { order } = byCreation(model);
    const isDeleted = (x: number) => JSON.parse(contentDocument(model, x).text).deletedAt !== undefined;
    const expected = numbersTo(order.length).filter((place) => isDeleted(order[place] ?? 0));
    expect([...done(deletedPlaces(model))]).toEqual(expected);
  });
});

test("who and what is new or has risen in a list, whatever else came and went", () => {
  holds(
    fc.property(organizations(), organizations(), (earlier, later) => {
      const id = organizationIds(later).find((each) => organizationIds(earlier).includes(each));
      if (id === undefined) return;
      const [before, after] = [earlier, later].map((records) => modelOf(factsOf(records, id)));
      if (before === undefined || after === undefined) return;
      const ids = numbersTo(before.members.count).map((member) => memberId(before, member));
      for (const content of numbersTo(after.contents.count)) {
        const key = keyOf(after, content);
        const old = numbersTo(before.contents.count).find((x) => keyOf(before, x) === key);
        const had = old === undefined ? undefined : { of: "content" as const, content: old };
        const found = done(newOrRisen(before, after, had, { of: "content", content }));
        const now = done(sheetOf(after, { of: "content", content })).codes;
        const then = had === undefined ? undefined : done(sheetOf(before, had)).codes;
        const hasRisen = (member: number) => {
          const was = then?.[ids.indexOf(memberId(after, member))] ?? 0;
          return ((now[member] ?? 0) & ROLE) > (was & ROLE);
        };
        expect([...found]).toEqual(numbersTo(after.members.count).filter(hasRisen));
      }
      for (const member of numbersTo(after.members.count)) {
        const { order } = byCreation(after);
        const was = ids.indexOf(memberId(after, member));
        const rankIn = (model: Model, number: number, x: number) =>
          codeFor(decide(ladderOn(model, x), rightsOn(model, number, x)), undefined) & ROLE;
        const expected = numbersTo(order.length).filter((place) => {
          const x = order[place] ?? 0;
          const old = numbersTo(before.contents.count).find((y) => keyOf(before, y) === keyOf(after, x));
          const then = was < 0 || old === undefined ? 0 : rankIn(before, was, old);
          return rankIn(after, member, x) > then;
        });
        expect([...done(newOrRisenSpaces(before, after, member))]).toEqual(expected);
      }
    }),
    { numRuns: RUNS },
  );
});
