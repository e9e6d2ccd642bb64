import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToken, listTokens, revokeToken } from "../../src/store/tokens.ts";
import { sendRaw } from "../hostile/ask.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { stopClock } from "../setup/clock.ts";
import { ownPlace, World } from "../world.ts";

/** A repeated request is answered before routing, with exactly the same answer as after routing. */

const RECORDS: SnapshotRecord[] = readFileSync(new URL("../../examples/acme.ndjson", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): SnapshotRecord => JSON.parse(line));
const EVERYONE = "/v1/spaces/api-reference/permissions/aggregate?limit=2";

let world: World;
let token: string;
beforeEach(async () => {
  world = await World.open(ownPlace);
  await world.import(RECORDS);
  token = await world.token("acme");
});
afterEach(() => world.close());

test("the same bytes and the same headers, in the same order", async () => {
  await world.get("/healthz");
  const port = world.app.addresses()[0]?.port ?? 0;
  const request = `GET ${EVERYONE} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const said = [];
  for (let time = 0; time < 3; time++) said.push(await sendRaw(port, [request]));
  const [first, ...later] = said.map((each) => each.replace(/^Date: .*\r\n/im, ""));
  expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  // Fastify orders headers differently; only their values count.
  for (const each of later) expect(sorted(each)).toEqual(sorted(first ?? ""));
});

function sorted(answer: string): string[] {
  return answer
    .split("\r\n")
    .map((line) => line.replace(/^[^:{]+:/, (name) => name.toLowerCase()))
    .sort();
}

test("a revoked token is refused by the next request", async () => {
  await twice();
  const [{ id } = { id: "" }] = await listTokens(world.store.engine);
  await revokeToken(world.store.engine, id);
  expect((await world.get(EVERYONE, token)).status).toBe(401);
});

test("a token that expires is refused from then on", async () => {
  const pass = stopClock();
  const lifetime = 60_000;
  const short = await createToken(world.store, { organization: "acme", name: "short", lifetime });
  for (let time = 0; time < 2; time++) expect((await world.get(EVERYONE, short)).status).toBe(200);
  pass(lifetime - 1);
  expect((await world.get(EVERYONE, short)).status).toBe(200);
  pass(1);
  expect((await world.get(EVERYONE, short)).status).toBe(401);
});

test("the next answer shows an import", async () => {
  await twice();
  const revision = (await world.get(EVERYONE, token)).headers["x-rolebook-revision"];
  await world.import(
    RECORDS.map((record) => (record.object === "organization" ? { ...record, title: "New" } : record)),
  );
  const { headers } = await world.get(EVERYONE, token);
  expect(Number(headers["x-rolebook-revision"])).toBeGreaterThan(Number(revision));
});

test("another token does not get a cached answer of this one", async () => {
  // The token is created first, because a new token invalidates the cache.
  const other = await world.token("acme", "bram");
  await twice();
  expect((await world.get(EVERYONE, other)).body).not.toContain('"items"');
  expect((await world.get(EVERYONE, `${token}x`)).status).toBe(401);
  expect((await world.get(EVERYONE)).status).toBe(401);
});

test("a request that needs more than the page is not answered from the cache", async () => {
  const page = await twice();
  const unchanged = await world.get(EVERYONE, token, { "if-none-match": String(page.headers.etag) });
  expect(unchanged.status).toBe(304);
  const port = world.app.addresses()[0]?.port ?? 0;
  const authorization = `Authorization: Bearer ${token}\r\n`;
  const head = await sendRaw(port, [`HEAD ${EVERYONE} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`]);
  expect(head).toMatch(/^HTTP\/1\.1 200/);
  expect(head).not.toContain('"items"');
  const post = await sendRaw(port, [`POST ${EVERYONE} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`]);
  expect(post).toMatch(/^HTTP\/1\.1 405/);
  const start = `GET ${EVERYONE} HTTP/1.1\r\n`;
  expect(await sendRaw(port, [`${start}Host: a\r\n${authorization}${authorization}\r\n`])).toMatch(
    /^HTTP\/1\.1 401/,
  );
  expect(await sendRaw(port, [`${start}${authorization}\r\n`])).toMatch(/^HTTP\/1\.1 400/);
});

test("repeated requests count for the rate limit", async () => {
  stopClock();
  const limited = await World.open(ownPlace, { rateLimit: 4 });
  try {
    await limited.import(RECORDS);
    const mine = await limited.token("acme");
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await limited.get(EVERYONE, mine));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
    expect(answers.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual([
      "3",
      "2",
      "1",
      "0",
      "0",
      "0",
    ]);
  } finally {
    await limited.close();
  }
});

/** Sends the request until the answer comes from the cache. */
async function twice() {
  await world.get(EVERYONE, token);
  const page = await world.get(EVERYONE, token);
  expect(page.status).toBe(200);
  return page;
}
