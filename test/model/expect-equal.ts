/** Compares models array by array, and texts by what they say; and works through a generator. */
import { expect } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { everyoneOn, everyoneOnSite } from "../../src/model/members.ts";
import { namesAt, namesOf } from "../../src/model/names.ts";
import { admins, roleCounts } from "../../src/model/paint.ts";
import { codesHeldBy } from "../../src/model/sheets.ts";
import { byCreation, spacesOf, spacesReached } from "../../src/model/spaces.ts";
import { childrenByTitle, contentsByTitle, sitesByTitle, teamsByTitle } from "../../src/model/titles.ts";
import { textOf, type Texts } from "../../src/model/texts.ts";

const KINDS = ["member", "team", "content", "site"] as const;

export function done<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

export function expectEqual(model: Model, expected: Model): void {
  expect(plain(model)).toEqual(plain(expected));
}

/** Without the buffers of texts, in which equal models may have texts in different places. */
function plain({ organization, members, teams, contents, sites }: Model) {
  return {
    organization,
    members: { ...members, ids: said(members.ids), profiles: said(members.profiles) },
    teams,
    contents: { ...contents, keys: said(contents.keys), texts: said(contents.texts) },
    sites,
  };
}

function said(texts: Texts): string[] {
  expect(texts.ends.length).toBe(texts.begins.length);
  return Array.from(texts.begins.keys(), (at) => textOf(texts, at));
}

/** Everything that hangs on a model, asked through what uses it: `members` are those whose spaces are asked. */
export function expectSameAnswers(model: Model, expected: Model, members: readonly number[]): void {
  expect(answers(model, members)).toEqual(answers(expected, members));
}

export function answers(model: Model, members: readonly number[]) {
  const stretch = { from: 0, most: Infinity };
  return {
    admins: admins(model),
    roles: roleCounts(model),
    created: byCreation(model),
    contents: Array.from({ length: model.contents.count }, (_, x) =>
      [undefined, 1, 2, 3, 4, 5, 6].map((role) =>
        everyoneOn(model, x, role, role === undefined ? stretch : { from: 0, most: 20 }),
      ),
    ),
    sites: Array.from({ length: model.sites.count }, (_, site) => everyoneOnSite(model, site, stretch)),
    names: KINDS.map((kind) => {
      const names = done(namesOf[kind](model));
      return Array.from(names.texts.begins.keys(), (number) => namesAt(names, number));
    }),
    titles: [contentsByTitle, sitesByTitle, teamsByTitle].map((byTitle) => done(byTitle(model)).order),
    children: done(childrenByTitle(model)),
    held: members.map((member) => done(codesHeldBy(model, member))),
    reached: Array.from({ length: model.teams.count }, (_, team) => spacesReached(model, team)),
    spaces: members.map((member) =>
      spacesOf(model, member, { place: 0, most: Infinity, newestFirst: false }),
    ),
  };
}
