/** In examples/acme.ndjson every rule of docs/permissions.md decides for somebody. */
import { expect, test } from "vitest";
import { factsOf, type Content } from "../oracle/facts.ts";
import { oracle } from "../oracle/oracle.ts";
import { ROLES, type Role } from "../oracle/records.ts";
import { acme } from "./acme.ts";
import { reasonOf } from "./reason.ts";

const facts = factsOf(acme, "acme");
const second = oracle(acme, { publicUrl: "http://localhost:3000" });
const contents: Content[] = [
  ...[...facts.spaces.keys()].map((id): Content => ({ kind: "space", id })),
  ...[...facts.collections.keys()].map((id): Content => ({ kind: "collection", id })),
];
const climbs = [...facts.members].flatMap(([user, own]) =>
  contents.map((content) => ({ user, content, own, guest: own === null, ...reasonOf(facts, user, content) })),
);

test("the oracle gives every member the role of the ladder written in this test", () => {
  for (const { user, content, role } of climbs) {
    expect([user, content, second.effective("acme", user, content)]).toEqual([user, content, role]);
  }
});

/** The ways in which rules decide, each with its condition. */
const ways: Record<string, (climb: (typeof climbs)[number]) => boolean> = {
  "1, an admin where something else was said": (c) =>
    c.rule === "1" && facts.permissionsOn(c.content).some(({ user }) => user === c.user),
  "1, an admin on closed content": (c) => c.rule === "1" && c.content.id === "salaries",
  "2a here": (c) => c.rule === "2a" && isHere(c),
  "2a on a collection above": (c) => c.rule === "2a" && !isHere(c),
  "2a lower than a team's at the same level": (c) =>
    c.rule === "2a" && c.teams.some((team) => higher(team.role, c.role)),
  "2a nearer than what is given above": (c) => c.rule === "2a" && c.givenAbove,
  "2a for a guest": (c) => c.rule === "2a" && c.guest,
  "2b here": (c) => c.rule === "2b" && isHere(c),
  "2b on a collection three levels up": (c) =>
    c.rule === "2b" && c.content.id === "batch-api" && c.at?.id === "handbook",
  "2b with teams of different roles": (c) =>
    c.rule === "2b" && new Set(c.teams.map(({ role }) => role)).size > 1,
  "2b with a tie": (c) => c.rule === "2b" && c.teams.length > 1 && c.teams[0]?.role === c.teams[1]?.role,
  "2b before a higher default level": (c) =>
    c.rule === "2b" && c.at?.id === "glossary" && higher("create", c.role),
  "2b lets a guest in": (c) => c.rule === "2b" && c.guest,
  "2c here": (c) => c.rule === "2c" && !c.guest && isHere(c),
  "2c on a collection above": (c) => c.rule === "2c" && !c.guest && !isHere(c),
  "2c lowers an organization role": (c) => c.rule === "2c" && higher(c.own, c.role),
  "2c opens a space in a closed collection": (c) =>
    c.rule === "2c" && !c.guest && c.content.id === "benefits",
  "2c stops a guest with nothing above": (c) => c.rule === "2c" && c.guest && !c.givenAbove,
  "2c stops a guest who was given something above": (c) => c.rule === "2c" && c.guest && c.givenAbove,
  "2d here": (c) => c.rule === "2d" && isHere(c),
  "2d on a collection above": (c) => c.rule === "2d" && !isHere(c),
  "2d stops what was given above": (c) => c.rule === "2d" && c.givenAbove,
  "3, the organization role three collections up": (c) =>
    c.rule === "3" && !c.guest && c.content.id === "batch-api",
  "3, no access for a guest": (c) => c.rule === "3" && c.guest,
};

test.each(Object.entries(ways))("the rule decides a role: %s", (_, holds) => {
  expect(climbs.some(holds)).toBe(true);
});

function isHere({ at, content }: { at?: Content; content: Content }): boolean {
  return at?.kind === content.kind && at.id === content.id;
}

function higher(one: Role | null, other: Role | null): boolean {
  return one !== null && other !== null && ROLES.indexOf(one) > ROLES.indexOf(other);
}
