import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namesOrganization, path as pathOf } from "../oracle/listing.ts";
import { type Listing, oracle } from "../oracle/oracle.ts";
import type { Role, SnapshotRecord } from "../oracle/records.ts";
import { PUBLIC_URL, ownPlace, World } from "../world.ts";

/** Authorization (docs/api.md) as a table: every kind of caller on every endpoint. */

const DATE = "2025-01-01T00:00:00Z";
const MEMBERS: Record<string, Role | null> = {
  admin: "admin",
  creator: "create",
  reviewer: "review",
  reader: "read",
  guest: null,
  invited: null,
  owner: "read",
};
const RECORDS: SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  ...Object.entries(MEMBERS).flatMap(([id, role]): SnapshotRecord[] => [
    { object: "user", id, displayName: `Name of ${id}` },
    { object: "member", organization: "o", user: id, role },
  ]),
  { object: "team", id: "t", organization: "o", title: "T", createdAt: DATE },
  { object: "collection", id: "c", organization: "o", title: "C" },
  { object: "space", id: "s", organization: "o", title: "S", parent: "c", createdAt: DATE, updatedAt: DATE },
  {
    object: "space",
    id: "closed",
    organization: "o",
    title: "Closed",
    defaultLevel: null,
    createdAt: DATE,
    updatedAt: DATE,
  },
  { object: "site", id: "w", organization: "o", title: "W" },
  { object: "siteSpace", site: "w", space: "s" },
  { object: "permission", space: "s", user: "owner", permission: "create" },
  { object: "permission", space: "s", user: "invited", permission: "comment" },
  { object: "permission", space: "closed", team: "t", permission: "read" },
];

/** Another organization with the same ids and other texts. */
const ELSEWHERE: SnapshotRecord[] = RECORDS.map((record): SnapshotRecord =>
  JSON.parse(
    JSON.stringify(record)
      .replace('"organization":"o"', '"organization":"p"')
      .replace('"object":"organization","id":"o"', '"object":"organization","id":"p"')
      .replace("Name of", "Elsewhere"),
  ),
).concat([
  { object: "space", id: "theirs", organization: "p", title: "Theirs", createdAt: DATE, updatedAt: DATE },
  { object: "user", id: "stranger", displayName: "Elsewhere too" },
  { object: "member", organization: "p", user: "stranger", role: "admin" },
]);

let world: World;
const expected = oracle(RECORDS, { publicUrl: PUBLIC_URL });

beforeAll(async () => {
  world = await World.open(ownPlace);
  await world.import(RECORDS);
  await world.import(ELSEWHERE);
});
afterAll(() => world.close());

const THERE: Listing[] = [
  { endpoint: 1, space: "s" },
  { endpoint: 2, space: "s" },
  { endpoint: 3, space: "s" },
  { endpoint: 1, space: "closed" },
  { endpoint: 3, space: "closed", role: "read" },
  { endpoint: 4, collection: "c" },
  { endpoint: 5, collection: "c" },
  { endpoint: 6, collection: "c" },
  ...Object.keys(MEMBERS).flatMap((user): Listing[] => [
    { endpoint: 7, user },
    { endpoint: 9, user },
  ]),
  { endpoint: 8, site: "w" },
  { endpoint: 10 },
  { endpoint: 11 },
  { endpoint: 12 },
  { endpoint: 13 },
  { endpoint: 14 },
  { endpoint: 15, team: "t" },
  { endpoint: 16, site: "w" },
  { endpoint: 17, collection: "c" },
  { endpoint: 18, site: "w" },
  { endpoint: 19, site: "w" },
];
const NOT_THERE: Listing[] = [
  { endpoint: 1, space: "none" },
  { endpoint: 2, space: "theirs" },
  { endpoint: 3, space: "none" },
  { endpoint: 4, collection: "none" },
  { endpoint: 5, collection: "s" },
  { endpoint: 6, collection: "none" },
  { endpoint: 7, user: "nobody" },
  { endpoint: 7, user: "stranger" },
  { endpoint: 8, site: "none" },
  { endpoint: 9, user: "nobody" },
  { endpoint: 9, user: "stranger" },
  { endpoint: 15, team: "none" },
  { endpoint: 16, site: "none" },
  { endpoint: 17, collection: "s" },
  { endpoint: 18, site: "none" },
  { endpoint: 19, site: "none" },
];

describe.each([undefined, ...Object.keys(MEMBERS)])("the token of %s", (member) => {
  const caller =
    member === undefined ? { kind: "organization" as const } : { kind: "member" as const, user: member };

  test.each([...THERE, ...NOT_THERE].map((listing) => [pathOf("o", listing), listing] as const))(
    "%s",
    async (path, listing) => {
      const token = await world.token("o", member);
      const { status, body } = await world.get(path, token);
      expect(status).toBe(expected.may("o", caller, listing));
      if (status === 200) expect(JSON.parse(body).items).toEqual(expected.list("o", listing));
      expect(body).not.toContain("Elsewhere");
    },
  );

  test("another organization is the same refusal in every path, whether or not it exists", async () => {
    const token = await world.token("o", member);
    for (const listing of [...THERE, ...NOT_THERE].filter(namesOrganization)) {
      const foreign = await world.get(pathOf("p", listing), token);
      const absent = await world.get(pathOf("none", listing), token);
      const wanted = expected.mayElsewhere("o", caller, listing);
      expect([foreign.status, absent.status]).toEqual([wanted, wanted]);
      expect(foreign.body.replace('\\"p\\"', '\\"none\\"')).toBe(absent.body);
    }
  });
});

describe("what must be indistinguishable", () => {
  /** The answer without the requested id, and without headers that differ between any two answers. */
  const said = async (path: string, id: string, token: string) => {
    const { status, headers, body } = await world.get(path, token);
    const { date: _, "content-length": __, ...others } = headers;
    return JSON.stringify({ status, others, body: body.replaceAll(id, "ID") });
  };

  test("content that a member cannot see, of another organization, or absent: the same bytes for one URL", async () => {
    const guest = await world.token("o", "guest");
    const admin = await world.token("o");
    for (const list of ["users", "teams", "aggregate"]) {
      const hidden = await said(`/v1/spaces/closed/permissions/${list}`, "closed", guest);
      const foreign = await said(`/v1/spaces/theirs/permissions/${list}`, "theirs", guest);
      const absent = await said(`/v1/spaces/nothing/permissions/${list}`, "nothing", guest);
      expect(foreign).toBe(hidden);
      expect(absent).toBe(hidden);
      expect(await said(`/v1/spaces/theirs/permissions/${list}`, "theirs", admin)).toBe(absent);
    }
  });

  test("members and sites, existing or not, for callers who may not list them", async () => {
    const reader = await world.token("o", "reader");
    for (const list of ["spaces", "teams"]) {
      const existing = await said(`/v1/orgs/o/members/creator/${list}`, "creator", reader);
      expect(await said(`/v1/orgs/o/members/nobody/${list}`, "nobody", reader)).toBe(existing);
      expect(await said(`/v1/orgs/o/members/stranger/${list}`, "stranger", reader)).toBe(existing);
    }
    const site = await said("/v1/orgs/o/sites/w/permissions/aggregate", "/w/", reader);
    expect(await said("/v1/orgs/o/sites/none/permissions/aggregate", "/none/", reader)).toBe(site);
  });

  test("unknown, malformed, expired and revoked tokens", async () => {
    const path = "/v1/spaces/s/permissions/users";
    const wrong = await said(path, "", `rb_${"A".repeat(43)}`);
    for (const token of ["rb_", "x", `rb_${"A".repeat(42)}`, `rb_${"A".repeat(44)}`, "%00"]) {
      expect(await said(path, "", token)).toBe(wrong);
    }
    expect(wrong).toContain('"www-authenticate":"Bearer"');
  });
});

test("a list that is refused is refused again, whoever asks, with its page read beside the check", async () => {
  for (const caller of ["reader", undefined, "admin", undefined]) {
    for (const path of ["/v1/spaces/none/permissions/teams", "/v1/collections/none/permissions/users"]) {
      expect((await world.get(path, await world.token("o", caller))).status, `${caller} ${path}`).toBe(404);
    }
  }
});
