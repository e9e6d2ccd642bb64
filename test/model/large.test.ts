/** Pages of a model of thousands of members: windows, jumps to the next member on a list, and roles that few have. */
import { expect, test } from "vitest";
import { contentKey } from "../../src/domain/content.ts";
import { build, type ContentRow, type MemberRow } from "../../src/model/builder.ts";
import { differences } from "../../src/model/differences.ts";
import { codeOn, everyoneOn, everyoneOnSite, type Hit } from "../../src/model/members.ts";
import type { Model } from "../../src/model/model.ts";
import { ROLE } from "../../src/model/code.ts";
import { SEED } from "../setup/seed.ts";
import { randomOf } from "../oracle/random/values.ts";
import { ROLES } from "../oracle/records.ts";

const MEMBERS = 3000;
const NOBODY = { text: "{}", omitted: 0 };

/**
 * A third are guests and few are admins. Team 0 is everybody, the others are ever smaller. A third of the contents is
 * closed. Permissions of teams are on few contents or on all, so that both ways of painting them occur.
 */
function largeModel(seed: number): Model {
  const random = randomOf(seed);
  const below = (count: number) => Math.floor(random() * count);
  const role = () => ROLES[below(ROLES.length)] ?? "read";
  const teams = Array.from({ length: 60 }, (_, number) => ({
    number,
    id: `t${String(number).padStart(2, "0")}`,
    text: "{}",
  }));
  const contents = Array.from({ length: 40 }, (_, number): ContentRow => {
    const given = below(4) === 0 ? teams : teams.slice(below(60), 60).filter(() => below(8) === 0);
    return {
      number,
      key: contentKey(number < 12 ? "collection" : "space", String(number).padStart(2, "0")),
      parent:
        below(4) === 0 ? undefined : number < 12 ? (number === 0 ? undefined : below(number)) : below(12),
      level: below(3) === 0 ? null : below(4) === 0 ? role() : "inherit",
      created: number,
      document: NOBODY,
      teams: given.map(({ number: team }) => ({ team, role: role() })),
    };
  });
  const members = Array.from({ length: MEMBERS }, (_, number): MemberRow => ({
    id: String(number).padStart(5, "0"),
    role: below(3) === 0 ? null : below(200) === 0 ? "admin" : (ROLES[below(5)] ?? "read"),
    document: NOBODY,
    teams: teams
      .filter(({ number: team }) => team === 0 || below(4 * team) === 0)
      .map(({ number: team }) => ({ team, isOwner: below(9) === 0 })),
    // The last numbers are those of sites, where somebody may have no access.
    permissions:
      below(50) === 0
        ? [{ on: below(40), role: role() }]
        : below(50) === 0
          ? [{ on: 40 + below(2), role: below(3) === 0 ? null : role() }]
          : [],
  }));
  const sites = [
    { id: "all", spaces: contents.slice(12).map(({ number }) => number) },
    { id: "some", spaces: [12, 20, 31] },
    { id: "none", spaces: [] },
  ].map(({ id, spaces }, site) => ({
    number: contents.length + site,
    id,
    title: id,
    level: below(4) === 0 ? role() : ("inherit" as const),
    spaces,
    teams: teams.filter(() => below(15) === 0).map(({ number: team }) => ({ team, role: role() })),
  }));
  return ran(build({ id: "large", title: "Large" }, { teams, contents, members, sites }));
}

function ran<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Pages of `most` from several members on; each goes to the end of the list from there. */
function expectPages<Entry extends Hit>(
  whole: readonly Entry[],
  page: (from: number, most: number) => readonly Entry[],
): void {
  for (const from of [0, 1, 777, MEMBERS >> 1, MEMBERS - 1, MEMBERS]) {
    const rest = whole.filter(({ member }) => member >= from);
    for (const most of [1, 50, 1000, MEMBERS]) expect(page(from, most)).toEqual(rest.slice(0, most));
  }
}

test.each([1, 2].map((n) => n * (SEED ?? Date.now())))("everybody on contents and sites, seed %i", (seed) => {
  const model = largeModel(seed);
  const everyone = Array.from({ length: MEMBERS }, (_, member) => member);
  for (let content = 0; content < model.contents.count; content++) {
    const all = everyone.map((member) => ({ member, code: codeOn(model, member, content) }));
    expectPages(
      all.filter(({ code }) => code !== 0),
      (from, most) => everyoneOn(model, content, undefined, { from, most }),
    );
    for (const [at] of ROLES.entries()) {
      expectPages(
        all.filter(({ code }) => (code & ROLE) === at + 1),
        (from, most) => everyoneOn(model, content, at + 1, { from, most }),
      );
    }
  }
  const nothing = ran(
    build({ id: "large", title: "Large" }, { teams: [], contents: [], members: [], sites: [] }),
  );
  for (const manner of [undefined, { window: 700, copied: 300 }]) {
    const { sums } = ran(differences(nothing, model, undefined, manner));
    for (let content = 0; content < model.contents.count; content++) {
      const held = everyone.filter((member) => codeOn(model, member, content) !== 0);
      expect(Array.from(sums.subarray(4 * content, 4 * content + 4))).toEqual([0, 0, 0, held.length]);
    }
  }
  for (let site = 0; site < model.sites.count; site++) {
    const { at, entries } = model.sites.spaces;
    const spaces = Array.from(entries.subarray(at[site], at[site + 1]));
    const expected = everyone.flatMap((member) => {
      const codes = spaces.map((space) => ({ space, code: codeOn(model, member, space) }));
      const highest = Math.max(0, ...codes.map(({ code }) => code & ROLE));
      const best = codes.find(({ code }) => (code & ROLE) === highest);
      return best === undefined || highest === 0 ? [] : [{ member, space: best.space, code: highest }];
    });
    // Of several sites that give the same, the listed one counts, which only tells what gives it.
    expectPages(expected, (from, most) =>
      everyoneOnSite(model, site, { from, most }).map(({ code, ...hit }) => ({ ...hit, code: code & ROLE })),
    );
  }
});
