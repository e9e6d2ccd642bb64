/** Authorization in the explorer (docs/api.md): every kind of caller with every request. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plain } from "../../../src/domain/reason.ts";
import type { WithoutRow } from "../../../src/explorer/wire/lists.ts";
import type { Role, SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";

const DATE = "2025-01-01T00:00:00Z";
const MEMBERS: Record<string, Role | null> = {
  admin: "admin",
  creator: "create",
  reader: "read",
  guest: null,
  invited: null,
};
const space = (id: string, more: object = {}): SnapshotRecord =>
  Object({ object: "space", id, organization: "o", title: id, createdAt: DATE, updatedAt: DATE, ...more });
const RECORDS: SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  ...Object.entries(MEMBERS).flatMap(([id, role]): SnapshotRecord[] => [
    { object: "user", id, displayName: `Name of ${id}` },
    { object: "member", organization: "o", user: id, role },
  ]),
  { object: "team", id: "t", organization: "o", title: "T", createdAt: DATE },
  { object: "collection", id: "c", organization: "o", title: "Secret plans", defaultLevel: null },
  space("s", { parent: "c" }),
  space("open"),
  { object: "site", id: "w", organization: "o", title: "W" },
  { object: "siteSpace", site: "w", space: "open" },
  { object: "permission", space: "s", user: "invited", permission: "comment" },
  { object: "collection", id: "d", organization: "o", title: "Hidden drafts", defaultLevel: null },
  space("ours", { parent: "d" }),
  { object: "permission", space: "ours", user: "creator", permission: "create" },
  { object: "permission", space: "ours", team: "t", permission: "read" },
  { object: "teamMember", team: "t", user: "guest", role: "member" },
  { object: "permission", space: "open", user: "reader", permission: "edit" },
  { object: "permission", collection: "d", user: "guest", permission: "edit" },
  space("shut", { defaultLevel: null }),
  { object: "permission", space: "shut", user: "creator", permission: "create" },
];

let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace, { rateLimit: 1_000_000 });
  await world.import(RECORDS);
});
afterAll(() => world.close());

/** The expected statuses for an organization token, an admin, a creator, a reader, a guest and an invited user. */
const TABLE: Record<string, readonly [number, number, number, number, number, number]> = {
  me: [200, 200, 200, 200, 200, 200],
  rules: [200, 200, 403, 403, 403, 403],
  tidy: [200, 200, 403, 403, 403, 403],
  "outcomes?earlier=1&covers=every%20space%20and%20collection,%20members%20and%20guests,%20every%20role": [
    200, 200, 403, 403, 403, 403,
  ],
  "outcomes?earlier=9&covers=every%20space%20and%20collection,%20members%20and%20guests,%20every%20role": [
    400, 400, 403, 403, 403, 403,
  ],
  "outcomes?earlier=1&covers=space%20none,%20members%20and%20guests,%20every%20role": [
    404, 404, 403, 403, 403, 403,
  ],
  "outcomes?earlier=1&covers=all": [400, 400, 400, 400, 400, 400],
  tree: [200, 200, 200, 200, 200, 200],
  "tree?parent=c": [200, 200, 404, 404, 404, 404],
  "tree?parent=none": [404, 404, 404, 404, 404, 404],
  "tree?space=open": [200, 200, 200, 200, 404, 404],
  "tree?space=s": [200, 200, 404, 404, 404, 200],
  "tree?kind=site": [200, 200, 403, 403, 403, 403],
  "tree?site=w": [200, 200, 403, 403, 403, 403],
  "tree?site=none": [404, 404, 403, 403, 403, 403],
  "tree?member=reader": [200, 200, 403, 200, 403, 403],
  "tree?member=nobody": [404, 404, 403, 403, 403, 403],
  "tree?team=t": [200, 200, 403, 403, 403, 403],
  "tree?team=none": [404, 404, 403, 403, 403, 403],
  "search?q=name": [200, 200, 200, 200, 200, 200],
  // Only callers who may list roles get them.
  "search?q=name&kind=member&space=open": [200, 200, 200, 403, 404, 404],
  "search?q=name&kind=member&site=w": [200, 200, 403, 403, 403, 403],
  "report?space=open": [200, 200, 403, 403, 403, 403],
  "report?space=none": [404, 404, 403, 403, 403, 403],
  "access?space=open&q=name&guests=only&reason=direct": [200, 200, 200, 403, 404, 404],
  "access?space=open": [200, 200, 200, 403, 404, 404],
  "access?space=s": [200, 200, 404, 404, 404, 403],
  "access?space=open&tab=people": [200, 200, 200, 403, 404, 404],
  "access?space=none": [404, 404, 404, 404, 404, 404],
  "access?site=w": [200, 200, 403, 403, 403, 403],
  "access?member=guest": [200, 200, 403, 403, 200, 403],
  "access?member=guest&tab=teams": [200, 200, 403, 403, 200, 403],
  "access?team=t": [200, 200, 403, 403, 403, 403],
  "access?list=members": [200, 200, 403, 403, 403, 403],
  "access?list=teams": [200, 200, 403, 403, 403, 403],
  "counts?space=open": [200, 200, 200, 403, 404, 404],
  "counts?member=reader": [200, 200, 403, 200, 403, 403],
  "counts?site=w": [200, 200, 403, 403, 403, 403],
  "csv?space=open": [200, 200, 200, 403, 404, 404],
  "csv?list=members": [200, 200, 403, 403, 403, 403],
  "why?space=open&user=reader": [200, 200, 200, 200, 404, 404],
  "why?space=open&user=guest": [200, 200, 404, 403, 404, 404],
  "why?space=open&user=nobody": [200, 200, 404, 403, 404, 404],
  "why?space=s&user=invited": [200, 200, 404, 404, 404, 200],
  "why?site=w&user=reader": [200, 200, 403, 403, 403, 403],
  "me?at=1": [200, 200, 200, 200, 200, 200],
  revisions: [200, 200, 200, 200, 200, 200],
  "changes?space=open": [200, 200, 200, 403, 404, 404],
  "changes?collection=c": [200, 200, 404, 404, 404, 404],
  "changes?member=reader": [200, 200, 403, 200, 403, 403],
  "changes?team=t": [200, 200, 403, 403, 403, 403],
  "since?earlier=1": [200, 200, 403, 403, 403, 403],
  "since?earlier=1&space=open": [200, 200, 200, 403, 404, 404],
  "since?earlier=9": [404, 404, 403, 403, 403, 403],
  "access?list=changes&earlier=1&later=9": [404, 404, 403, 403, 403, 403],
  "access?team=t&tab=changes&earlier=1&later=9": [404, 404, 403, 403, 403, 403],
  "access?space=open&tab=changes&earlier=1&later=9": [404, 404, 404, 403, 404, 404],
  // On one content, callers need permission to list that content and the content of the source. On teams and all
  // contents, callers must see everything.
  "without?space=open&without=user/reader@space/open": [200, 200, 200, 403, 404, 404],
  "without?space=open&without=user/nobody@space/open": [404, 404, 404, 403, 404, 404],
  "without?space=ours&without=user/guest@collection/d": [200, 200, 404, 404, 403, 404],
  "without?space=ours&without=team/t@space/ours": [200, 200, 200, 404, 403, 404],
  "without?space=ours&without=team/t": [200, 200, 403, 404, 403, 404],
  "without?space=shut&without=default@space/shut": [200, 200, 403, 404, 404, 404],
  "without?without=user/reader@space/open": [200, 200, 403, 403, 403, 403],
  "without?without=team/t": [200, 200, 403, 403, 403, 403],
  "without?without=team/none": [404, 404, 403, 403, 403, 403],
  "access?space=open&tab=without&without=user/reader@space/open": [200, 200, 200, 403, 404, 404],
  "access?space=shut&tab=without&without=default@space/shut": [200, 200, 403, 404, 404, 404],
  "access?list=contents&without=team/t": [200, 200, 403, 403, 403, 403],
  "access?list=pairs&without=team/t": [200, 200, 403, 403, 403, 403],
  "csv?list=pairs&without=user/reader@space/open": [200, 200, 403, 403, 403, 403],
  "access?space=ours&tab=within&within=t": [200, 200, 403, 404, 403, 404],
  "access?team=t&tab=reach": [200, 200, 403, 403, 403, 403],
  "access?member=reader&tab=compare&with=guest": [200, 200, 403, 403, 403, 403],
  "access?member=reader&tab=compare&with=nobody": [404, 404, 403, 403, 403, 403],
  "access?site=w&tab=compare&user=reader": [200, 200, 403, 403, 403, 403],
  "access?collection=c&tab=compare&user=reader&with=guest": [200, 200, 403, 403, 403, 403],
};

describe.each([undefined, ...Object.keys(MEMBERS)].map((member, place) => [member, place] as const))(
  "the token of %s",
  (member, place) => {
    test.each(Object.entries(TABLE))("%s", async (path, statuses) => {
      const answer = await world.get(`/explorer/${path}`, await world.token("o", member));
      expect(answer.status, answer.body).toBe(statuses[place]);
      expect(answer.headers["x-ratelimit-limit"]).toBe("1000000");
    });
  },
);

test("without a token, every path under /explorer is a 401, also a missing one", async () => {
  for (const path of [...Object.keys(TABLE), "", "nothing", "%6de"]) {
    const { status, headers } = await world.get(`/explorer/${path}`);
    expect([status, headers["www-authenticate"]], path).toEqual([401, "Bearer"]);
  }
  expect((await world.get("/%65xplorer/me")).status).toBe(401);
});

test("callers who do not see a collection do not get its title", async () => {
  const token = await world.token("o", "invited");
  for (const path of [
    "tree",
    "tree?space=s",
    "search?q=s",
    "access?member=invited",
    "why?space=s&user=invited",
  ]) {
    const { status, body } = await world.get(`/explorer/${path}`, token);
    expect(status).toBe(200);
    expect(body, path).not.toContain("Secret");
  }
});

test("the effect of removing a permission hides reasons on contents that the caller does not see", async () => {
  // The guest has edit through a collection that the creator does not see.
  const path = "/explorer/access?space=ours&tab=without&without=team/t@space/ours";
  const rows = async (member?: string) =>
    (await world.page(path, await world.token("o", member))).items.map((row): WithoutRow => Object(row));
  const told = (row: WithoutRow | undefined) => [
    row?.user.id,
    row?.after?.role,
    plain(row?.after?.reason.because ?? []),
  ];
  expect(told((await rows())[0])).toEqual(["guest", "edit", "direct permission on Hidden drafts"]);
  expect(told((await rows("creator"))[0])).toEqual(["guest", "edit", "something above that you do not see"]);
});

test("a forbidden subject gets the same answer whether or not it exists", async () => {
  const said = async (path: string, id: string, member: string) => {
    const { status, body } = await world.get(`/explorer/${path}${id}`, await world.token("o", member));
    return [status, body.replaceAll(`\\"${id}\\"`, "ID")];
  };
  expect(await said("why?space=open&user=", "guest", "creator")).toEqual(
    await said("why?space=open&user=", "nobody", "creator"),
  );
  expect(await said("access?team=", "t", "reader")).toEqual(await said("access?team=", "none", "reader"));
  expect(await said("tree?collection=", "c", "reader")).toEqual(
    await said("tree?collection=", "none", "reader"),
  );
});

test.each([
  "me?x=1",
  "access",
  "access?space=open&site=w",
  "access?space=open&tab=spaces",
  "access?space=open&tab=people&reason=team",
  "access?space=open&role=owner",
  "access?space=open&role=",
  "access?space=open&limit=0",
  "access?space=open&page=x",
  "access?space=open&space=s",
  "access?member=reader&guests=only",
  "access?member=reader&order=up",
  "access?space=open&tab=without",
  "access?space=open&tab=without&without=t",
  "access?list=contents&without=team/",
  "access?list=members&without=team/t",
  "access?member=reader&tab=compare&with=reader",
  "without?space=open",
  "without?without=team/t&from=-1",
  "without?space=open&without=team/t&from=1",
  "tree?kind=space",
  "tree?space=open&limit=3",
  "counts",
  "search?kind=team&q=x",
  "why?user=reader",
  "search?q=x&space=open",
  "search?q=x&kind=member&space=open&site=w",
  "why?space=open&user=reader&tab=people",
  "csv?space=open&limit=3",
  "counts?space=open&revision=0",
])("%s is a 400", async (path) => {
  expect((await world.get(`/explorer/${path}`, await world.token("o"))).status).toBe(400);
});

test("methods other than GET and HEAD are a 405; a HEAD of a file has no body", async () => {
  const headers = { authorization: `Bearer ${await world.token("o")}` };
  const post = await world.app.inject({ method: "POST", url: "/explorer/me", headers });
  expect([post.statusCode, post.headers.allow]).toEqual([405, "GET, HEAD"]);
  const head = await world.app.inject({ method: "HEAD", url: "/explorer/csv?space=open", headers });
  expect([head.statusCode, head.body]).toEqual([200, ""]);
});

test("a page identifier is valid for its list only; answers have their revision and a newer one", async () => {
  const token = await world.token("o");
  const { body } = await world.get("/explorer/access?list=members&limit=2", token);
  const { next, revision }: { next: { page: string }; revision: number } = JSON.parse(body);
  expect((await world.get(`/explorer/access?list=members&limit=1&page=${next.page}`, token)).status).toBe(
    200,
  );
  expect((await world.get(`/explorer/access?list=teams&page=${next.page}`, token)).status).toBe(400);
  await world.import([...RECORDS, space("later")]);
  const old = JSON.parse((await world.get(`/explorer/tree?revision=${revision}`, token)).body);
  expect(old.revision).toBe(revision);
  expect(old.newer.revision).toBeGreaterThan(revision);
  expect(JSON.stringify(old.items)).not.toContain("later");
  for (const question of ["access", "counts", "csv"]) {
    const path = `/explorer/${question}?space=later`;
    expect((await world.get(`${path}&revision=${revision}`, token)).status, path).toBe(404);
    expect((await world.get(path, token)).status, path).toBe(200);
  }
  const now = JSON.parse((await world.get("/explorer/tree", token)).body);
  expect(now.newer).toBeUndefined();
  expect(JSON.stringify(now.items)).toContain("later");
});
