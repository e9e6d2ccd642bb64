/** Every list of a model is what the oracle says, whatever its pages are. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey, idOf, sortKeyOf } from "../../src/domain/content.ts";
import { decide } from "../../src/domain/ladder.ts";
import { roleOf } from "../../src/domain/role.ts";
import { codeOn, everyoneOn, everyoneOnSite, givenOn, type Hit } from "../../src/model/members.ts";
import {
  findContent,
  findMember,
  findSite,
  findTeam,
  keyOf,
  memberId,
  type Model,
} from "../../src/model/model.ts";
import { BY_ORGANIZATION, BY_SITE, ROLE } from "../../src/model/code.ts";
import { byCreation, placeAfter, spacesOf, spacesReached } from "../../src/model/spaces.ts";
import { ladderOn, rightsOn } from "../../src/model/why.ts";
import { utc } from "../oracle/date.ts";
import { effectiveOf } from "../oracle/effective.ts";
import { type Content, factsOf, type Facts, organizationIds } from "../oracle/facts.ts";
import { type Item, oracle } from "../oracle/oracle.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { ROLES } from "../oracle/records.ts";
import { modelOf } from "./model-of.ts";
import { holds } from "../setup/property.ts";

const RUNS = 10 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
const PAGES = [1, 3, 1000];

function contentsOf(facts: Facts): Content[] {
  return [
    ...[...facts.collections.keys()].map((id) => ({ kind: "collection" as const, id })),
    ...[...facts.spaces.keys()].map((id) => ({ kind: "space" as const, id })),
  ];
}

/** The number that a look-up must find. */
function there<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("The model does not find what the records have.");
  return found;
}

/** All pages of `most` entries, one after the other. */
function walked<Entry extends Hit>(most: number, page: (from: number) => Entry[]): Entry[] {
  const all: Entry[] = [];
  for (let from = 0; ;) {
    const entries = page(from);
    expect(entries.length).toBeLessThanOrEqual(most);
    all.push(...entries);
    if (entries.length < most) return all;
    from = there(entries.at(-1)).member + 1;
  }
}

const said = (model: Model, hits: readonly Hit[]) =>
  hits.map(({ member, code }) => [memberId(model, member), roleOf(code & ROLE)]);
const users = (items: readonly Item[]) =>
  items.map((item) => ("permission" in item && "user" in item ? [item.user.id, item.permission] : []));

/** Every organization of many random imports, with the oracle of its import. */
function eachOrganization(check: (facts: Facts, model: Model, ask: ReturnType<typeof oracle>) => void): void {
  holds(
    fc.property(organizations(), fc.boolean(), (records, reversed) => {
      const ask = oracle(records, { publicUrl: "" });
      for (const id of organizationIds(records)) {
        const facts = factsOf(records, id);
        check(facts, modelOf(facts, reversed), ask);
      }
    }),
    { numRuns: RUNS },
  );
}

test("everybody's role on every content, and whether the organization gives it", () => {
  eachOrganization((facts, model) => {
    for (const user of facts.members.keys()) {
      for (const content of contentsOf(facts)) {
        const member = there(findMember(model, user));
        const place = there(findContent(model, contentKey(content.kind, content.id)));
        const code = codeOn(model, member, place);
        const effective = effectiveOf(facts, user, content);
        expect(code === 0 ? null : roleOf(code & ROLE)).toBe(effective?.role ?? null);
        expect((code & BY_ORGANIZATION) !== 0).toBe(effective?.from === "organization");
        const decided = decide(ladderOn(model, place), rightsOn(model, member, place));
        expect(decided?.role ?? null).toBe(effective?.role ?? null);
        expect(["admin", "organization"].includes(decided?.rule ?? "")).toBe(
          effective?.from === "organization",
        );
      }
    }
  });
});

test("the users of a content: given directly, everybody, and those of one role", () => {
  eachOrganization((facts, model, ask) => {
    for (const { kind, id } of contentsOf(facts)) {
      const content = there(findContent(model, contentKey(kind, id)));
      const of = kind === "space" ? { space: id } : { collection: id };
      const list = (endpoint: number, role?: string): Item[] =>
        ask.list(facts.organization, { endpoint, ...of, ...(role && { role }) } as never);
      for (const most of PAGES) {
        const given = walked(most, (from) => givenOn(model, content, { from, most }));
        expect(said(model, given)).toEqual(users(list(kind === "space" ? 1 : 5)));
        const all = walked(most, (from) => everyoneOn(model, content, undefined, { from, most }));
        expect(said(model, all)).toEqual(users(list(kind === "space" ? 3 : 6)));
        for (const [at, role] of ROLES.entries()) {
          const some = walked(most, (from) => everyoneOn(model, content, at + 1, { from, most }));
          expect(said(model, some)).toEqual(users(list(kind === "space" ? 3 : 6, role)));
        }
      }
    }
  });
});

test("the users of a site, each with the space from which the role comes", () => {
  eachOrganization((facts, model, ask) => {
    for (const id of facts.sites.keys()) {
      const site = there(findSite(model, id));
      const listed = ask.list(facts.organization, { endpoint: 8, site: id });
      for (const most of PAGES) {
        const hits = walked(most, (from) => everyoneOnSite(model, site, { from, most }));
        expect(said(model, hits)).toEqual(users(listed));
        expect(
          hits.map(({ space, code }) => [
            code & BY_ORGANIZATION ? "organization" : code & BY_SITE ? "site" : "space",
            idOf(keyOf(model, space)),
          ]),
        ).toEqual(listed.map((item) => ("origin" in item ? [item.origin.type, item.origin.space] : [])));
      }
    }
  });
});

test("the spaces of a member, in both orders", () => {
  eachOrganization((facts, model, ask) => {
    const { order, places } = byCreation(model);
    for (const user of facts.members.keys()) {
      const member = there(findMember(model, user));
      for (const way of ["asc", "desc"] as const) {
        const listed = ask
          .list(facts.organization, { endpoint: 7, user, order: way })
          .map((item) => ("space" in item && "permission" in item ? [item.space.id, item.permission] : []));
        const step = way === "desc" ? -1 : 1;
        for (const most of PAGES) {
          const all: string[][] = [];
          for (let place = way === "desc" ? order.length - 1 : 0; ;) {
            const hits = spacesOf(model, member, { place, most, newestFirst: way === "desc" });
            all.push(...hits.map(({ space, role }) => [idOf(keyOf(model, space)), roleOf(role)]));
            if (hits.length < most) break;
            place = (places[there(hits.at(-1)).space] ?? 0) + step;
          }
          expect(all).toEqual(listed);
        }
      }
    }
  });
});

test("a page of spaces begins after a creation and an id, also where that space is gone", () => {
  eachOrganization((facts, model) => {
    const { order } = byCreation(model);
    for (const { createdAt, id } of facts.spaces.values()) {
      const created = Date.parse(utc(createdAt));
      const place = there(placeAfter(model, sortKeyOf(created, id), false)) - 1;
      expect(idOf(keyOf(model, there(order[place])))).toBe(id);
      expect(placeAfter(model, sortKeyOf(created, id), true)).toBe(place - 1);
      // No id has this character, which is before all that ids have.
      expect(placeAfter(model, sortKeyOf(created, `${id}!`), false)).toBe(place + 1);
      expect(placeAfter(model, sortKeyOf(created, `${id}!`), true)).toBe(place);
    }
  });
});

test("the members of a team, and the spaces that it reaches", () => {
  eachOrganization((facts, model, ask) => {
    for (const item of ask.list(facts.organization, { endpoint: 11 })) {
      if (!("members" in item)) throw new Error("The list of teams has something else.");
      const team = there(findTeam(model, item.id));
      const { at, entries } = model.teams.members;
      const members = Array.from(entries.subarray(at[team], at[team + 1]), (i) => memberId(model, i));
      expect(members.toSorted()).toEqual(
        facts.teamMembers.flatMap(({ team, user }) => (team === item.id ? [user] : [])).toSorted(),
      );
      expect(spacesReached(model, team)).toBe(item.spaces);
    }
  });
});

test("what does not exist is not found", () => {
  eachOrganization((facts, model) => {
    for (const id of ["", "~", "zzzz", "\u{1F600}"]) {
      if (!facts.members.has(id)) expect(findMember(model, id)).toBeUndefined();
      if (!facts.spaces.has(id)) expect(findContent(model, contentKey("space", id))).toBeUndefined();
      if (!facts.teams.has(id)) expect(findTeam(model, id)).toBeUndefined();
      if (!facts.sites.has(id)) expect(findSite(model, id)).toBeUndefined();
    }
  });
});
