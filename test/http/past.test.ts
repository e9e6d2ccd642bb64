import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Role, SnapshotRecord } from "../oracle/records.ts";
import { ownPlace, World } from "../world.ts";
import { keepHistory } from "../directly.ts";

/** docs/past.md: the answers of `/at/WHEN/v1/…`. */

const CREATED = "2025-01-01T00:00:00Z";
const NOW = "2026-03-06T12:00:00.000Z";
/** The import time of each revision. */
const TIMES = ["2026-03-01T10:00:00.000Z", "2026-03-03T10:00:00.000Z", "2026-03-05T10:00:00.000Z"];

/** The organization at revision `number`. Dora may list only at the first revision, Emil only at the last one. */
function state(number: number, organization = "o"): SnapshotRecord[] {
  const roles: Record<string, Role | null> = {
    ana: "admin",
    ben: "read",
    dora: number === 1 ? "create" : "comment",
    emil: number === 3 ? "create" : "read",
  };
  const space = (id: string): SnapshotRecord => ({
    object: "space",
    id,
    organization,
    title: `${id} ${number}`,
    createdAt: CREATED,
    updatedAt: CREATED,
  });
  return [
    { object: "organization", id: organization, title: "O" },
    ...Object.entries(roles).flatMap(([id, role]): SnapshotRecord[] => [
      { object: "user", id, displayName: `${id} ${number}` },
      { object: "member", organization, user: id, role },
    ]),
    space("s"),
    ...(number === 2 ? [] : [space("sometimes")]),
    ...(number === 1 ? [] : [space("new")]),
    { object: "permission", space: "s", user: "ben", permission: "edit" },
    { object: "team", id: `t-${organization}`, organization, title: "T", createdAt: CREATED },
    ...["ana", "ben"].slice(0, number).map((user): SnapshotRecord => {
      return { object: "teamMember", team: `t-${organization}`, user, role: "member" };
    }),
    { object: "permission", space: "s", team: `t-${organization}`, permission: "read" },
    ...(number === 3
      ? [{ object: "permission", space: "new", team: `t-${organization}`, permission: "read" } as const]
      : []),
  ];
}

let world: World;
let token: string;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  world = await World.open(ownPlace);
  for (const [index, time] of TIMES.entries()) {
    vi.setSystemTime(time);
    await world.import(state(index + 1));
  }
  vi.setSystemTime(NOW);
  await world.import(state(4, "other"));
  token = await world.token("o");
});
afterAll(async () => {
  vi.useRealTimers();
  await world.close();
});

const EVERYONE = "/v1/spaces/s/permissions/aggregate";
const at = (when: string, path = EVERYONE) => `/at/${when}${path}`;
const messageOf = (body: string): string => JSON.parse(body).error.message;

describe("WHEN", () => {
  test.each([
    ["1", 1],
    ["3", 3],
    ["2026-03-01", 1],
    ["2026-03-02", 1],
    ["2026-03-03", 2],
    ["2026-03-05", 3],
    ["2026-03-06", 3],
    ["2026-03-01T10:00:00Z", 1],
    ["2026-03-03T09:59:59.999Z", 1],
    ["2026-03-03t10:00:00z", 2],
    ["2026-03-03T12:00:00+02:00", 2],
    ["2026-03-03T11%3A59%3A59%2B02%3A00", 1],
    ["2026-03-06T12:01:00Z", 3],
  ])("%s is revision %i", async (when, revision) => {
    const { status, headers, body } = await world.get(at(when), token);
    expect([status, headers["x-rolebook-revision"]]).toEqual([200, String(revision)]);
    expect(body).toContain(`"displayName":"ana ${revision}"`);
    expect(body).toContain('"location":"https://docs.example/api/v1/users/ana"');
  });

  test.each([
    "0",
    "01",
    "-1",
    "1.5",
    "12345678901234567",
    "",
    "now",
    "2026-3-1",
    "2026-02-30",
    "2026-03-01T10:00:00",
    "2026-03-01T10:00:00%2002:00",
    "2".repeat(300),
  ])("%s is malformed", async (when) => {
    const { status, body } = await world.get(at(when), token);
    expect(status).toBe(400);
    expect(messageOf(body)).toMatch(
      /accepted: the number of a revision, such as 41, a day, .* or an RFC 3339 date/,
    );
  });

  test.each([
    "4",
    "5",
    "9999999999999999",
    "2026-02-28",
    "2026-03-01T09:59:59.999Z",
    "2026-03-07",
    "2026-03-06T12:01:00.001Z",
    "9999-12-31",
  ])("%s cannot be read", async (when) => {
    const { status, headers, body } = await world.get(at(when), token);
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
    expect(messageOf(body)).toBe(
      `There is no revision "${when}" that can be read; the earliest is 1 (${TIMES[0]}), the latest 3 (${TIMES[2]}).`,
    );
  });
});

test("refusals come in the documented order", async () => {
  const member = "/v1/orgs/other/members/ana/teams";
  const outcome = async (path: string, bearer?: string) => {
    const { status, body } = await world.get(path, bearer);
    return `${status} ${messageOf(body)}`;
  };
  expect(await outcome(at("never", "/v1/nothing"))).toMatch(/^401 There is no token/);
  expect(await outcome("/at/1", token)).toBe("404 There is nothing at this path.");
  expect(await outcome(at("never", "/v1/nothing"), token)).toBe("404 There is nothing at this path.");
  expect(await outcome(at("never", `${member}?limit=0`), token)).toMatch(/^400 The path names the revision/);
  expect(await outcome(at("99", `${member}?limit=0`), token)).toMatch(/^400 The parameter limit/);
  expect(await outcome(at("99", member), token)).toMatch(/^404 There is no organization "other"/);
  const ben = await world.token("o", "ben");
  expect(await outcome(at("99", "/v1/orgs/o/members/ana/teams"), ben)).toMatch(
    /^404 There is no revision "99"/,
  );
  expect(await outcome(at("1", "/v1/orgs/o/members/ana/teams"), ben)).toMatch(/^403 /);
});

test("callers must be allowed to list now, and the subject must have existed then", async () => {
  const status = async (when: string, path: string, member?: string) =>
    (await world.get(at(when, path), await world.token("o", member))).status;
  // Dora could list then, but may not now; Emil may now, but could not then.
  expect(await status("1", EVERYONE, "dora")).toBe(403);
  expect(await status("1", EVERYONE, "emil")).toBe(200);
  const sometimes = "/v1/spaces/sometimes/permissions/users";
  const fresh = "/v1/spaces/new/permissions/users";
  for (const member of ["emil", "ana", undefined]) {
    expect([await status("1", sometimes, member), await status("2", sometimes, member)]).toEqual([200, 404]);
    expect([await status("1", fresh, member), await status("2", fresh, member)]).toEqual([404, 200]);
  }
  const { body } = await world.get(at("2", sometimes), token);
  expect(messageOf(body)).toBe('There is no space "sometimes" that this token can see.');
});

test("an organization admin and an organization token may list removed contents", async () => {
  await using other = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => other.close(),
  });
  await other.import(state(1));
  const { current } = (await other.store.registry.organization("o")) ?? {};
  await other.import(state(2));
  const path = at(String(current?.revision), "/v1/spaces/sometimes/permissions/users");
  const status = async (member?: string) => (await other.get(path, await other.token("o", member))).status;
  expect([await status(), await status("ana")]).toEqual([200, 200]);
  // A removed space is refused like any space that the caller may not list.
  expect(await status("emil")).toBe(404);
});

test("a team's counts are those of then", async () => {
  for (const [revision, members, spaces] of [
    [1, 1, 1],
    [2, 2, 1],
    [3, 2, 2],
  ]) {
    const { items } = await world.page(at(String(revision), "/v1/spaces/s/permissions/teams"), token);
    expect(items).toMatchObject([{ team: { id: "t-o", members, spaces } }]);
  }
});

test("an answer has the headers of its revision, and can be revalidated", async () => {
  const { headers } = await world.get(at("2"), token);
  expect(headers).toMatchObject({
    "x-rolebook-revision": "2",
    "last-modified": "Tue, 03 Mar 2026 10:00:00 GMT",
    "cache-control": "private, no-cache",
    vary: "Authorization",
  });
  expect(headers.etag).not.toBe((await world.get(at("1"), token)).headers.etag);
  expect((await world.get(at("3"), token)).headers.etag).toBe(
    (await world.get(EVERYONE, token)).headers.etag,
  );
  const again = await world.get(at("2026-03-04"), token, { "if-none-match": String(headers.etag) });
  expect([again.status, again.body]).toEqual([304, ""]);
});

test("requests count against the limit of their token", async () => {
  await using limited = Object.assign(await World.open(ownPlace, { rateLimit: 2 }), {
    [Symbol.asyncDispose]: () => limited.close(),
  });
  await limited.import(state(1));
  const path = at("2026-03-06");
  const holder = await limited.token("o");
  expect((await limited.get(path, holder)).headers["x-ratelimit-remaining"]).toBe("1");
  expect((await limited.get("/at/never", holder)).status).toBe(404);
  expect((await limited.get(path, holder)).status).toBe(429);
});

test("metrics have the route, never WHEN", async () => {
  await world.get(at("2026-03-04"), token);
  const { body } = await world.get("/metrics");
  expect(body).toContain('route="/at/{when}/v1/spaces/{spaceId}/permissions/aggregate"');
  expect(body).not.toContain("2026-03-04");
});

describe("a page identifier", () => {
  const first = async (when: string) => {
    const { next } = await world.page(`${at(when)}?limit=1`, token);
    return next?.page ?? "";
  };

  test("is valid for one spelling of WHEN, after decoding", async () => {
    const page = await first("2026-03-03T10:00:00Z");
    const status = async (when: string) =>
      (await world.get(`${at(when)}?limit=1&page=${page}`, token)).status;
    expect(await status("2026-03-03T10:00:00Z")).toBe(200);
    expect(await status("2026-03-03T10%3A00%3A00Z")).toBe(200);
    for (const other of ["2026-03-03T10:00:00.000Z", "2026-03-03", "2", "1"])
      expect(await status(other)).toBe(400);
    expect((await world.get(`${EVERYONE}?limit=1&page=${page}`, token)).status).toBe(400);
    const { next } = await world.page(`${EVERYONE}?limit=1`, token);
    expect((await world.get(`${at("3")}?limit=1&page=${next?.page}`, token)).status).toBe(400);
  });

  test("stays on its revision although WHEN means another one, until it is pruned", async () => {
    await using other = Object.assign(await World.open(ownPlace), {
      [Symbol.asyncDispose]: () => other.close(),
    });
    await other.import(state(1));
    const holder = await other.token("o");
    const today = at(NOW.slice(0, 10));
    const { next } = await other.page(`${today}?limit=2`, holder);
    const go = () => other.get(`${today}?limit=2&page=${next?.page}`, holder);
    await other.import(state(2));
    const { status, body } = await go();
    expect(status).toBe(200);
    expect(body).toContain("dora 1");
    expect((await other.get(today, holder)).body).toContain("ana 2");
    await keepHistory(other.store.engine, 0);
    vi.setSystemTime(Date.parse(NOW) + 1000);
    await other.import(state(3));
    vi.setSystemTime(NOW);
    const gone = await go();
    expect(gone.status).toBe(404);
    expect(messageOf(gone.body)).toMatch(/^There is no revision "1" that can be read; the earliest is 2 /);
  });
});
