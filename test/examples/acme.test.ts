/** examples/acme.ndjson contains what README, docs, tests and scenarios rely on. */
import { expect, test } from "vitest";
import { levelOf } from "../oracle/effective.ts";
import { factsOf } from "../oracle/facts.ts";
import { oracle } from "../oracle/oracle.ts";
import { ROLES, type SnapshotRecord } from "../oracle/records.ts";
import { acme, textOf } from "./acme.ts";

const facts = factsOf(acme, "acme");
const second = oracle(acme, { publicUrl: "http://localhost:3000" });
const members = [...facts.members.keys()];
const spaces = [...facts.spaces.values()];
function all<Kind extends SnapshotRecord["object"]>(kind: Kind) {
  return acme.filter((record): record is Extract<SnapshotRecord, { object: Kind }> => record.object === kind);
}

function depthOf(collection: string): number {
  const parent = facts.collections.get(collection)?.parent;
  return parent === undefined ? 1 : 1 + depthOf(parent);
}

test("it has the size that the docs say", () => {
  expect(all("organization")).toEqual([{ object: "organization", id: "acme", title: "Acme" }]);
  expect(members).toHaveLength(34);
  expect(members.filter((user) => facts.members.get(user) === null)).toHaveLength(5);
  expect(facts.teams.size).toBe(6);
  expect(facts.collections.size).toBe(6);
  expect(spaces).toHaveLength(15);
  expect(facts.sites.size).toBe(2);
  expect(Math.max(...[...facts.collections.keys()].map(depthOf))).toBe(3);
});

test("a person can read it from top to bottom", () => {
  const sections = [
    ["organization"],
    ["user", "member"],
    ["team", "teamMember"],
    ["collection"],
    ["space"],
    ["site", "siteSpace"],
    ["permission"],
  ];
  const order = acme.map(({ object }) => sections.findIndex((section) => section.includes(object)));
  expect(order).toEqual([...order].sort((left, right) => left - right));
  const seen = new Set<string>();
  for (const record of acme) {
    if (record.object === "member") expect(seen).toContain(`user ${record.user}`);
    if (record.object === "teamMember") expect(seen).toContain(`team ${record.team}`);
    if (record.object === "siteSpace") expect(seen).toContain(`site ${record.site}`);
    if ("parent" in record) expect(seen).toContain(`collection ${record.parent}`);
    if ("id" in record) seen.add(`${record.object} ${record.id}`);
  }
});

test("one line is one record, written as JSON.stringify writes it", () => {
  const text = textOf("examples/acme.ndjson");
  expect(text).toBe(acme.map((record) => `${JSON.stringify(record)}\n`).join(""));
});

test("every id is used once per kind, and every reference exists", () => {
  for (const kind of ["user", "team", "collection", "space", "site"] as const) {
    const ids = all(kind).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect(new Set(all("user").map(({ id }) => id))).toEqual(new Set(members));
  for (const { team, user } of facts.teamMembers) {
    expect(facts.teams.has(team)).toBe(true);
    expect(facts.members.has(user)).toBe(true);
  }
  for (const permission of all("permission")) {
    if (permission.space !== undefined) expect(facts.spaces.has(permission.space)).toBe(true);
    else if (permission.site !== undefined) expect(facts.sites.has(permission.site)).toBe(true);
    else expect(facts.collections.has(permission.collection)).toBe(true);
    if (permission.user !== undefined) expect(facts.members.has(permission.user)).toBe(true);
    else expect(facts.teams.has(permission.team)).toBe(true);
  }
  for (const { space } of all("siteSpace")) expect(facts.spaces.has(space)).toBe(true);
});

test("ids: one that needs encoding in a path, and some whose byte order differs from other orders", () => {
  expect(members.filter((user) => user.includes("/"))).toEqual(["partner/mei"]);
  expect(members.filter((user) => user.includes("@")).length).toBeGreaterThan(1);
  expect(members.toSorted((left, right) => left.localeCompare(right, "en"))).not.toEqual(
    members.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
  );
});

test("every default level that content can have: a role, null, inherit, absent", () => {
  const levels = [...spaces, ...facts.collections.values()];
  expect(levels.some((record) => record.defaultLevel === undefined)).toBe(true);
  const set = new Set(levels.map(levelOf));
  for (const level of ["read", "comment", "create", null, "inherit"] as const) expect(set).toContain(level);
});

test("every organization role, and every role in one aggregate", () => {
  expect(new Set(facts.members.values())).toEqual(new Set([...ROLES, null]));
  const content = { kind: "space", id: "api-reference" } as const;
  const aggregate = new Set(members.map((user) => second.effective("acme", user, content)));
  expect(aggregate).toEqual(new Set([...ROLES, null]));
});

test.each(["acme-docs", "partner-hub"])("site %s has an origin of each kind", (site) => {
  const origins = second
    .list("acme", { endpoint: 8, site })
    .map((item) => ("origin" in item ? item.origin.type : undefined));
  expect(new Set(origins)).toEqual(new Set(["organization", "space"]));
});

test("a space is on both sites", () => {
  const sitesOf = Map.groupBy(all("siteSpace"), ({ space }) => space);
  expect(sitesOf.get("changelog")).toHaveLength(2);
});

test("spaces show every value that a field can have", () => {
  const values = <Value>(pick: (space: (typeof spaces)[number]) => Value) => new Set(spaces.map(pick));
  expect(values(({ visibility }) => visibility)).toEqual(
    new Set(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private", undefined]),
  );
  expect(values(({ editMode }) => editMode)).toEqual(new Set(["live", "locked", undefined]));
  expect(values(({ visitorAuth }) => visitorAuth?.backend)).toEqual(new Set(["custom", undefined]));
  expect(values(({ gitSync }) => gitSync?.installationProvider)).toEqual(
    new Set(["github", "gitlab", "github-legacy", undefined]),
  );
  expect(spaces.filter(({ deletedAt }) => deletedAt !== undefined)).toHaveLength(1);
  expect(spaces.filter(({ emoji }) => emoji !== undefined).length).toBeGreaterThan(0);
  expect(spaces.filter(({ urls }) => Object.keys(urls ?? {}).length === 5)).toHaveLength(1);
  const created = spaces.map(({ createdAt }) => createdAt);
  expect(new Set(created).size).toBe(created.length - 1);
});

test("users show photoURL, urls, and a member without an e-mail address", () => {
  const users = all("user");
  expect(users.some(({ photoURL }) => photoURL !== undefined)).toBe(true);
  expect(users.some(({ urls }) => urls?.location !== undefined)).toBe(true);
  expect(users.filter(({ email }) => email === undefined).map(({ id }) => id)).toEqual(["release-bot"]);
  for (const { email } of users) expect(email ?? "@acme.example").toMatch(/@(acme|partner)\.example$/);
});

test("both roles in a team", () => {
  expect(new Set(facts.teamMembers.map(({ role }) => role))).toEqual(new Set(["owner", "member"]));
});
