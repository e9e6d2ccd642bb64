import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { createToken, hashOf, listTokens, revokeToken } from "../../src/store/tokens.ts";
import { stopClock } from "../setup/clock.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { ownPlace, World } from "../world.ts";

/** docs/api.md and docs/errors.md: parameters, errors in their order, headers, pages. */

const ACME = readFileSync(new URL("../../examples/acme.ndjson", import.meta.url), "utf8");
const RECORDS: SnapshotRecord[] = ACME.trim()
  .split("\n")
  .map((line): SnapshotRecord => JSON.parse(line));
const USERS = "/v1/spaces/api-reference/permissions/users";
const EVERYONE = "/v1/spaces/api-reference/permissions/aggregate";
const SPACES = "/v1/orgs/acme/members/ana/spaces";

let world: World;
let token: string;
let began: number;
beforeAll(async () => {
  world = await World.open(ownPlace);
  began = Date.now();
  await world.import(RECORDS);
  token = await world.token("acme");
});
afterAll(() => world.close());

/** Checks a refusal: it has the common form, is not cached, and names the value and what is accepted. */
async function refused(path: string, status: number, message: RegExp, withToken = token) {
  const answer = await world.get(path, withToken);
  expect(answer.status, answer.body).toBe(status);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  const body = JSON.parse(answer.body);
  expect(Object.keys(body)).toEqual(["error"]);
  expect(Object.keys(body.error)).toEqual(["code", "message"]);
  expect(body.error.code).toBe(status);
  expect(body.error.message).toMatch(message);
}

describe("parameters", () => {
  test.each(["0", "-1", "1001", "01", "1.0", "1e2", "ten", "", "10000", "+5", " 5"])(
    "limit %j is a 400 that shows it",
    (limit) =>
      refused(
        `${USERS}?limit=${encodeURIComponent(limit)}`,
        400,
        /limit is ".*"; accepted: a whole number from 1 to 1000/,
      ),
  );
  test.each(["ADMIN", "owner", "", "read "])("role %j is a 400", (role) =>
    refused(
      `${EVERYONE}?role=${encodeURIComponent(role)}`,
      400,
      /role is ".*"; accepted: read, comment, edit, review, create, admin/,
    ),
  );
  test.each(["DESC", "", "up"])("order %j is a 400", (order) =>
    refused(`${SPACES}?order=${order}`, 400, /order is ".*"; accepted: asc, desc/),
  );
  test.each([
    [
      "a parameter that the endpoint does not have",
      `${USERS}?role=edit`,
      /no parameter "role"; accepted: page, limit/,
    ],
    ["a misspelt one", `${EVERYONE}?Role=edit`, /no parameter "Role"/],
    ["one given twice", `${EVERYONE}?role=edit&role=edit`, /role is given twice/],
    ["broken percent-encoding", `${EVERYONE}?role=%zz`, /percent-encoding/],
    ["percent-encoding that is no UTF-8", `${EVERYONE}?role=%ff`, /percent-encoding/],
    ["a name without a value", `${EVERYONE}?role`, /role is ""/],
    ["an empty page", `${USERS}?page=`, /page is ""/],
  ])("%s is a 400", (_, path, message) => refused(path, 400, message));

  test("limits from 1 to 1000 are accepted; the default is 100", async () => {
    for (const limit of [1, 2, 1000])
      expect((await world.page(`${USERS}?limit=${limit}`, token)).count).toBeLessThanOrEqual(limit);
    expect((await world.page(EVERYONE, token)).count).toBeGreaterThan(2);
  });

  test("the default order is desc, and asc reverses the list", async () => {
    const newest = await world.walk(SPACES, token);
    expect(await world.walk(`${SPACES}?order=desc`, token)).toEqual(newest);
    expect(await world.walk(`${SPACES}?order=asc`, token)).toEqual(newest.toReversed());
  });
});

describe("pages", () => {
  test("an identifier is valid for its listing: endpoint, path, filters and order, with defaults", async () => {
    const { next } = await world.page(`${SPACES}?limit=1`, token);
    const page = next?.page ?? "";
    expect((await world.page(`${SPACES}?order=desc&limit=3&page=${page}`, token)).count).toBe(3);
    await refused(`${SPACES}?order=asc&page=${page}`, 400, /unchanged page identifier of this listing/);
    await refused(`/v1/orgs/acme/members/ivo/spaces?page=${page}`, 400, /page identifier/);
    await refused(`/v1/orgs/acme/members/ana/teams?page=${page}`, 400, /page identifier/);
    const everyone = (await world.page(`${EVERYONE}?limit=1`, token)).next?.page ?? "";
    await refused(`${EVERYONE}?role=edit&page=${everyone}`, 400, /page identifier/);
    await refused(`${USERS}?page=${everyone}`, 400, /page identifier/);
    await refused(`/v1/spaces/sdk-guides/permissions/aggregate?page=${everyone}`, 400, /page identifier/);
  });

  test("every change of one character is a 400", async () => {
    const page = (await world.page(`${EVERYONE}?limit=1`, token)).next?.page ?? "";
    expect(page).toMatch(/^[A-Za-z0-9_-]+$/);
    for (const [index, character] of [...page].entries()) {
      for (const other of ["A", "B", "-", "_", "9", "z"].filter((each) => each !== character)) {
        const altered = page.slice(0, index) + other + page.slice(index + 1);
        expect((await world.get(`${EVERYONE}?page=${altered}`, token)).status, altered).toBe(400);
      }
    }
    for (const altered of [`${page}A`, page.slice(1), page.slice(0, -1), `${page}=`, `${page}%0A`]) {
      expect((await world.get(`${EVERYONE}?page=${altered}`, token)).status, altered).toBe(400);
    }
  });

  test("the last page has no next", async () => {
    expect(Object.keys(await world.page(`${EVERYONE}?limit=1000`, token))).toEqual(["count", "items"]);
  });
});

describe("the order of refusals", () => {
  const long = `${USERS}?page=${"x".repeat(9000)}`;
  test("414 before 401", async () => expect((await world.get(long)).status).toBe(414));
  test("401 before 404, 405 and 400", async () => {
    for (const path of [
      "/v1",
      "/v1/",
      "/v1/nothing",
      `${USERS}?limit=0`,
      "/v1/spaces/%zz/permissions/users",
    ]) {
      expect((await world.get(path)).status, path).toBe(401);
    }
    for (const method of ["POST", "DELETE", "OPTIONS", "PUT"] as const) {
      expect((await world.ask(method, USERS)).status).toBe(401);
    }
  });
  test("an unknown path is a 404, whatever the method", async () => {
    await refused("/v1/nothing", 404, /nothing at this path/);
    for (const method of ["POST", "OPTIONS"] as const) {
      expect((await world.ask(method, "/v1/nothing", token)).status).toBe(404);
    }
  });
  test("paths are exact", async () => {
    for (const path of [
      `${USERS}/`,
      USERS.toUpperCase(),
      USERS.replace("spaces", "Spaces"),
      `/${USERS}`,
      USERS.replace("/v1", "/v1/./"),
    ]) {
      await refused(path, 404, /nothing at this path/);
    }
    await refused("/v1/spaces/%zz/permissions/users", 404, /nothing at this path/);
    for (const long of [256, 3061, 8000])
      await refused(`/v1/spaces/${"a".repeat(long)}/permissions/users`, 404, /nothing at this path/);
    await refused(`/v1/spaces/${"a".repeat(255)}/permissions/users`, 404, /no space/);
  });
  test("405 before 400, with Allow", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const { status, headers } = await world.ask(method, `${USERS}?limit=0`, token);
      expect([status, headers.allow], method).toEqual([405, "GET, HEAD"]);
    }
    expect((await world.ask("POST", "/healthz")).status).toBe(405);
  });
  test("400 before another organization's 404", async () => {
    await refused("/v1/orgs/other/members/ana/spaces?order=up", 400, /order/);
    await refused("/v1/orgs/other/members/ana/spaces", 404, /no organization "other"/);
  });
});

describe("headers", () => {
  test("a listing has its revision in headers, and a known ETag gets a 304", async () => {
    const { headers } = await world.get(USERS, token);
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "private, no-cache",
      vary: "Authorization",
      "x-rolebook-revision": "1",
    });
    // The header has whole seconds.
    expect(Date.parse(String(headers["last-modified"]))).toBeGreaterThan(began - 1000);
    const etag = String(headers.etag);
    for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await world.get(USERS, token, { "if-none-match": sent });
      expect([again.status, again.body, again.headers.etag]).toEqual([304, "", etag]);
    }
    expect((await world.get(USERS, token, { "if-none-match": '"x"' })).status).toBe(200);
  });

  test("access is checked before a 304", async () => {
    const etag = String((await world.get(USERS, token)).headers.etag);
    expect((await world.get(USERS, undefined, { "if-none-match": etag })).status).toBe(401);
    const reader = await world.token("acme", "aroha");
    expect((await world.get(USERS, reader, { "if-none-match": etag })).status).toBe(403);
  });

  test("HEAD is answered like GET, without the body", async () => {
    const head = await world.ask("HEAD", USERS, token);
    const get = await world.get(USERS, token);
    expect([head.status, head.body]).toEqual([200, ""]);
    for (const name of ["etag", "content-length", "x-rolebook-revision"])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  test("the scheme is case-insensitive", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect((await world.get(USERS, undefined, { authorization: `${scheme} ${token}` })).status).toBe(200);
    }
    expect((await world.get(USERS, undefined, { authorization: token })).status).toBe(401);
    expect((await world.get(USERS, undefined, { authorization: `Basic ${token}` })).status).toBe(401);
  });
});

describe("tokens", () => {
  test("only the SHA-256 is stored", async () => {
    const made = await createToken(world.store, { organization: "acme", name: "hashed" });
    expect(made).toMatch(/^rb_[A-Za-z0-9_-]{43}$/);
    expect(await world.store.registry.token(hashOf(made))).toMatchObject({
      token: { name: "hashed", organization: "acme" },
    });
    expect(JSON.stringify(await listTokens(world.store.engine))).not.toContain(made.slice(3));
  });

  test("a revoked token is refused by the next request, cached pages or not", async () => {
    const made = await createToken(world.store, { organization: "acme", name: "to revoke" });
    expect((await world.get(USERS, made)).status).toBe(200);
    expect((await world.get(USERS, made)).status).toBe(200);
    const { id } = (await listTokens(world.store.engine)).find(({ name }) => name === "to revoke") ?? {
      id: "",
    };
    await revokeToken(world.store.engine, id);
    expect((await world.get(USERS, made)).status).toBe(401);
    await expect(revokeToken(world.store.engine, id)).rejects.toThrow("no token with id");
  });

  test("an expired token is refused", async () => {
    const pass = stopClock();
    const lifetime = 60_000;
    const made = await createToken(world.store, { organization: "acme", name: "short", lifetime });
    expect((await world.get(USERS, made)).status).toBe(200);
    pass(lifetime);
    expect((await world.get(USERS, made)).status).toBe(401);
  });

  test("a token is created only for an existing organization and member", async () => {
    await expect(createToken(world.store, { organization: "none", name: "" })).rejects.toThrow(
      'no organization "none"',
    );
    await expect(
      createToken(world.store, { organization: "acme", member: "none", name: "" }),
    ).rejects.toThrow('no member "none" in organization acme');
  });
});

describe("the rate limit", () => {
  test("reports the remaining requests, refuses further ones, and does not affect other tokens", async () => {
    stopClock();
    const limited = await World.open(ownPlace, { rateLimit: 2 });
    try {
      await limited.import(RECORDS);
      const one = await limited.token("acme");
      const two = await limited.token("acme", "ivo");
      const answers = [
        await limited.get(USERS, one),
        await limited.get("/v1/nothing", one),
        await limited.get(USERS, one),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 429]);
      expect(answers.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["1", "0", "0"]);
      expect(Number(answers[2]?.headers["retry-after"])).toBeGreaterThan(0);
      expect(Number(answers[2]?.headers["x-ratelimit-reset"]) % 60).toBe(0);
      expect((await limited.get(USERS, two)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
