/** Network faults: requests that are repeated, delayed or refused. */
import { createServer } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { pull, snapshotOf } from "../../../src/connectors/gitbook/pull.ts";
import { CommandError } from "../../../src/domain/error.ts";
import { acme } from "../../examples/acme.ts";
import { type DoubleOptions, TOKEN } from "./double/double.ts";
import type { Fault } from "./double/fault.ts";
import { clientOf, pulled, withDouble } from "./double/pulled.ts";
import { canonical, State, tamed } from "./double/state.ts";

const RECORDS = tamed(acme);
const STATE = new State(RECORDS);
/**
 * A fault at every third request, but never at a retry. Otherwise concurrent requests could meet a fault at each of
 * their retries.
 */
function everyThird(fault: Fault): (request: number, line: string) => Fault | undefined {
  const failed = new Set<string>();
  return (request, line) => {
    if (request % 3 !== 0 || failed.has(line)) return undefined;
    failed.add(line);
    return fault;
  };
}

test.each<[name: string, fault: Fault]>([
  ["503", { status: 503 }],
  ["500 with a page", { status: 500, body: "<h1>Oops</h1>" }],
  ["429 that may be asked again at once", { status: 429, headers: { "retry-after": "0" } }],
  ["429 that says nothing", { status: 429 }],
  ["a closed connection", "close"],
  ["a body that is cut", "cut"],
  ["a body that takes its time", "slow"],
  ["HTML with a 200", "html"],
])("%s at every third request is retried with success", async (_, fault) => {
  const read = await pulled(STATE, { faults: everyThird(fault) });
  expect(canonical(read)).toEqual(canonical(RECORDS));
});

test("an answer that does not end in time is abandoned and requested again", async () => {
  const deadlines: [milliseconds: number, end: AbortController][] = [];
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const end = new AbortController();
    deadlines.push([milliseconds, end]);
    return end.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  await withDouble(STATE, { faults: { 2: "hang", 9: "hang" } }, async (double) => {
    const client = clientOf(double, { deadline: 100, concurrency: 1 });
    const pulling = pull(client, STATE.organization, { accept: new Set() });
    for (const request of [2, 9]) {
      await expect.poll(() => double.asked.length).toBe(request + 1);
      deadlines[request]?.[1].abort(new DOMException("Late.", "TimeoutError"));
    }
    expect(canonical([...snapshotOf(await pulling)])).toEqual(canonical(RECORDS));
    expect(double.asked[3]).toBe(double.asked[2]);
  });
  expect(new Set(deadlines.map(([milliseconds]) => milliseconds))).toEqual(new Set([100]));
});

test.each<Fault>(["expired", "repeated"])("a page that is %s begins its list again", async (fault) => {
  for (const request of [2, 4, 7, 9]) {
    const read = await pulled(STATE, { pageSize: 3, faults: { [request]: fault } });
    expect(canonical(read)).toEqual(canonical(RECORDS));
  }
});

async function failureOf(options: DoubleOptions, client = {}): Promise<string> {
  const failure: unknown = await pulled(STATE, options, client).catch((error: unknown) => error);
  if (!(failure instanceof CommandError)) throw failure;
  expect(failure.message).not.toContain(TOKEN);
  return failure.message;
}

test.each<Fault>(["expired", "repeated"])("pages that are always %s end the pull", async (fault) => {
  const message = await failureOf({ pageSize: 3, faults: () => fault });
  expect(message).toMatch(
    /^The pages of GET \/v1\/orgs\/acme\/\w+ expired 4 times before the last was read\.$/,
  );
});

test.each<[Fault, RegExp]>([
  [{ status: 503 }, /refuses GET \/v1\/orgs\/acme \(503: status 503\)\.$/],
  ["html", /cannot be reached for GET \/v1\/orgs\/acme: status 200 without JSON\.$/],
  ["close", /cannot be reached for GET \/v1\/orgs\/acme: other side closed\.$/],
  [
    { status: 418, body: '{"error":{"code":418,"message":"I am a teapot"}}' },
    /refuses .* \(418: I am a teapot\)\.$/,
  ],
  [{ status: 403, body: "{}" }, /may not request GET \/v1\/orgs\/acme .* mass revocation/],
  [{ status: 200, body: "{}" }, /not an admin of organization acme/],
])("%j at every request ends the pull", async (fault, message) => {
  expect(await failureOf({ faults: () => fault })).toMatch(message);
});

test("an answer that is not a list ends the pull", async () => {
  expect(await failureOf({ faults: { 1: { status: 200, body: '{"items":{}}' } } })).toMatch(
    /does not answer with a list, as GitBook does\.$/,
  );
  expect(await failureOf({ faults: { 1: { status: 200, body: '{"items":[1]}' } } })).toMatch(
    /lists an entry that is not an object\.$/,
  );
});

test("a body without end is refused", async () => {
  const body = `{"items":["${"x".repeat(70 << 20)}"]}`;
  expect(await failureOf({ faults: { 3: { status: 200, body } } })).toMatch(
    /is larger than 67108864 bytes\.$/,
  );
});

test("a token that is revoked meanwhile ends the pull at once", async () => {
  expect(await failureOf({ revokedAt: 12 })).toMatch(/does not accept the token \(401: Unauthorized\)\.$/);
});

test("an admin who is demoted meanwhile ends the pull", async () => {
  const requests = await withDouble(STATE, {}, async (double) => {
    await pull(clientOf(double), "acme", { accept: new Set() });
    return double.asked.length;
  });
  // The last six requests are for the organization and its five lists.
  expect(await failureOf({ demotedAt: requests - 6 })).toMatch(
    /^The token's user is not an admin of organization acme/,
  );
  expect(await failureOf({ demotedAt: requests - 5 })).toMatch(/403: Forbidden.*mass revocation/);
});

test("a redirect is not followed, so no other address gets the token", async () => {
  const asked: unknown[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((resolve) => {
    elsewhere.listen(0, "127.0.0.1", resolve);
  });
  const address = elsewhere.address();
  const location = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1/orgs/acme`;
  for (const status of [301, 302, 303, 307, 308]) {
    const message = await failureOf({ faults: { 5: { status, headers: { location } } } });
    expect(message).toMatch(/with a redirect \(30\d\)\. It was not followed/);
  }
  elsewhere.close();
  expect(asked).toEqual([]);
});

test("ids are encoded, so that they cannot change the path", async () => {
  await withDouble(STATE, {}, async (double) => {
    const client = clientOf(double);
    for (const id of ["a/b", "a?b", "a#b", "%2e%2e", "a b", "ä"]) {
      await client.walk(["orgs", "acme", "members", id, "spaces"], {}, () => {});
      expect(double.asked.at(-1)).toBe(
        `GET /v1/orgs/acme/members/${encodeURIComponent(id)}/spaces?limit=1000`,
      );
    }
    const before = double.asked.length;
    for (const id of [".", "..", "", "\uD800"]) {
      await expect(client.get(["orgs", id])).rejects.toThrow(/cannot be part of a request's path/);
    }
    expect(double.asked).toHaveLength(before);
  });
});
