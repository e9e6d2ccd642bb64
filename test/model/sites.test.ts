/** Where sites say something, every list says what `decide` does, and no list changes where they are silent. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/domain/ladder.ts";
import { rank } from "../../src/domain/role.ts";
import { ROLE } from "../../src/model/code.ts";
import { differences } from "../../src/model/differences.ts";
import { type Visitor, everybodyOn } from "../../src/model/everybody.ts";
import { valueIn, PERMISSION } from "../../src/model/lists.ts";
import { everyoneOn, everyoneOnSite, type Hit } from "../../src/model/members.ts";
import { INHERIT, type Model, withAncestors } from "../../src/model/model.ts";
import { rolesOf } from "../../src/model/roles.ts";
import { byCreation, spacesOf, spacesReached } from "../../src/model/spaces.ts";
import { decisionOn, decisionOnSite } from "../../src/model/why.ts";
import { sayingModels, sayingPairs } from "./saying.ts";
import { holds } from "../setup/property.ts";

const RUNS = 10 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
const PAGES = [1, 3, 1000];

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

function eachModel(check: (model: Model) => void): void {
  holds(
    fc.property(sayingModels, (models) => {
      for (const model of models) check(model);
    }),
    { numRuns: RUNS },
  );
}

function walked<Entry extends Hit>(most: number, page: (from: number) => Entry[]): Entry[] {
  const all: Entry[] = [];
  for (let from = 0; ;) {
    const entries = page(from);
    all.push(...entries);
    if (entries.length < most) return all;
    from = (entries.at(-1)?.member ?? 0) + 1;
  }
}

const roleIn = (decision: Decision | undefined) => (decision === undefined ? 0 : rank(decision.role));

describe("where sites say something", () => {
  test("everybody on a content, and those with one role, page by page", () => {
    eachModel((model) => {
      for (const content of numbersTo(model.contents.count)) {
        const ranks = numbersTo(model.members.count).map((member) =>
          roleIn(decisionOn(model, member, content)),
        );
        for (const most of PAGES) {
          for (const role of [undefined, 1, 2, 3, 4, 5, 6]) {
            const hits = walked(most, (from) => everyoneOn(model, content, role, { from, most }));
            expect(hits.map(({ member, code }) => [member, code & ROLE])).toEqual(
              [...ranks.entries()].filter(([, held]) => (role === undefined ? held > 0 : held === role)),
            );
          }
        }
      }
    });
  });

  test("everybody on a site, with the space that gives the role", () => {
    eachModel((model) => {
      for (const site of numbersTo(model.sites.count)) {
        const expected = numbersTo(model.members.count).flatMap((member) => {
          const found = decisionOnSite(model, member, site);
          return found === undefined ? [] : [[member, roleIn(found.decision), found.space]];
        });
        for (const most of PAGES) {
          const hits = walked(most, (from) => everyoneOnSite(model, site, { from, most }));
          expect(hits.map(({ member, code, space }) => [member, code & ROLE, space])).toEqual(expected);
        }
      }
    });
  });

  test("the spaces of a member, and the roles on all contents", () => {
    eachModel((model) => {
      const { order } = byCreation(model);
      for (const member of numbersTo(model.members.count)) {
        const held = (x: number) => roleIn(decisionOn(model, member, x));
        const hits = spacesOf(model, member, { place: 0, most: order.length + 1, newestFirst: false });
        expect(hits.map(({ space, role }) => [space, role])).toEqual(
          Array.from(order, (x) => [x, held(x)]).filter(([, role]) => role !== 0),
        );
        expect([...rolesOf(model, member)]).toEqual(numbersTo(model.contents.count).map(held));
      }
    });
  });

  test("how many spaces a team reaches", () => {
    eachModel((model) => {
      for (const team of numbersTo(model.teams.count)) {
        const { order } = byCreation(model);
        expect(spacesReached(model, team)).toBe(
          order.filter((space) => isReached(model, team, space)).length,
        );
      }
    });
  });

  test("everybody on all contents, one after the other", () => {
    eachModel((model) => {
      const all = Uint32Array.from(numbersTo(model.contents.count));
      for (const manner of [
        { window: 1000, copied: 1000 },
        { window: 2, copied: 1 },
      ]) {
        const found = new Map<string, number>();
        let first = 0;
        // What is counted of each base, and on each content on the way down, as rules do.
        let bases: (readonly number[] | undefined)[] = [];
        const counts: (readonly number[])[] = [];
        const visitor: Visitor = {
          begin({ from }) {
            first = from;
            bases = [];
          },
          arrive({ depth, base }) {
            const inherited =
              base === undefined ? counts[depth - 1] : (bases[base.number] ??= countsOf(base.sheet));
            counts[depth] = inherited ?? [];
            return true;
          },
          leave({ content, depth, sheet }, { begin, end, was, became }) {
            const counted = [...(counts[depth] ?? [])];
            for (let at = begin; at < end; at++) {
              counted[was[at] ?? 0] = (counted[was[at] ?? 0] ?? 0) - 1;
              counted[became[at] ?? 0] = (counted[became[at] ?? 0] ?? 0) + 1;
            }
            counts[depth] = counted;
            expect(counted).toEqual(countsOf(sheet));
            for (const [at, byte] of sheet.entries()) found.set(`${content} ${first + at}`, byte & ROLE);
          },
        };
        const walk = everybodyOn(model, all, visitor, undefined, manner);
        for (let step = walk.next(); step.done !== true;) step = walk.next();
        for (const content of all)
          for (const member of numbersTo(model.members.count))
            expect([content, member, found.get(`${content} ${member}`)]).toEqual([
              content,
              member,
              roleIn(decisionOn(model, member, content)),
            ]);
      }
    });
  });
});

test("differences between what sites said and say", () => {
  holds(
    fc.property(sayingPairs, (pairs) => {
      for (const [before, after] of pairs) {
        const expected: string[] = [];
        for (const content of numbersTo(after.contents.count)) {
          for (const member of numbersTo(after.members.count)) {
            const had = roleIn(decisionOn(before, member, content));
            const has = roleIn(decisionOn(after, member, content));
            if (had !== has) expected.push(`${content} ${member} ${had} ${has}`);
          }
        }
        for (const manner of [
          { window: 1000, copied: 1000 },
          { window: 2, copied: 0 },
        ]) {
          const found: string[] = [];
          const walk = differences(before, after, (...pair) => void found.push(pair.join(" ")), manner);
          for (let step = walk.next(); step.done !== true;) step = walk.next();
          expect(found.sort()).toEqual(expected.toSorted());
        }
      }
    }),
    { numRuns: RUNS },
  );
});

/** How often each byte occurs. */
function countsOf(sheet: Uint8Array): number[] {
  const counts = Array.from({ length: 16 }, () => 0);
  for (const byte of sheet) counts[byte] = (counts[byte] ?? 0) + 1;
  return counts;
}

/** Contract of `team.spaces`: what is nearest of the team's own permissions, and what ends the chain towards collections. */
function isReached(model: Model, team: number, space: number): boolean {
  const { teams, contents, sites } = model;
  const given = (x: number) => valueIn(teams.permissions, team, x, PERMISSION);
  for (const x of withAncestors(model, space)) {
    if (given(x) !== undefined) return true;
    if (contents.levels[x] !== INHERIT) return false;
    if (x !== space) continue;
    const around = numbersTo(sites.count).filter((site) =>
      sites.spaces.entries.subarray(sites.spaces.at[site], sites.spaces.at[site + 1]).includes(space),
    );
    const onSites = around.flatMap((site) =>
      [...sites.teams.entries.subarray(sites.teams.at[site], sites.teams.at[site + 1])].flatMap((entry) =>
        entry >>> PERMISSION === team ? [entry & ROLE] : [],
      ),
    );
    if (onSites.some((role) => role > 0)) return true;
    if (onSites.length > 0 || around.some((site) => sites.levels[site] !== INHERIT)) return false;
  }
  return false;
}
