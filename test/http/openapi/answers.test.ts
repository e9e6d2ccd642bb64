/** The server agrees with the OpenAPI document: bodies, headers and accepted parameters. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { explorerOpenapi, openapi } from "../../../src/http/openapi/document.ts";
import { HEADERS, type OpenapiDocument } from "../../../src/http/openapi/components.ts";
import type { ExplorerItem } from "../../../src/http/openapi/explorer.ts";
import { operationsOf, type ResolvedOperation } from "../../../src/http/openapi/reference.ts";
import { EXPLORER_PATHS, SIGN_IN_PATHS } from "../../../src/explorer/wire/protocol.ts";
import { review } from "../../../src/explorer/server/review.ts";
import { EXPLORER_FILES, EXPLORER_OPERATIONS } from "../../../src/explorer/server/operations.ts";
import { OPERATIONS } from "../../../src/operations/operations.ts";
import { THINGS } from "../../../src/operations/things.ts";
import type { Operation } from "../../../src/operations/operation.ts";
import {
  type Parameter,
  parameterName,
  PATH_PARAMETERS,
  QUERY_PARAMETERS,
  type QueryName,
  queryParametersOf,
} from "../../../src/operations/parameters.ts";
import { keepRuleResults } from "../../../src/store/rule-results.ts";
import { acme } from "../../examples/acme.ts";
import { stopClock } from "../../setup/clock.ts";
import { type Answer, PUBLIC_URL, sqlitePlace, World } from "../../world.ts";
import { exampleRequest } from "./example-answers.ts";
import { pointer, Validator } from "./validator.ts";

/** An OpenAPI document with what validates answers against it. */
function held(document: OpenapiDocument<ExplorerItem>) {
  return { document, validator: new Validator(document), described: operationsOf(document) };
}

const interfaceOf = held(openapi("test", PUBLIC_URL));
const explorer = held(explorerOpenapi("test", PUBLIC_URL));
const { document, validator } = interfaceOf;
let world: World;
let token: string;
beforeAll(async () => {
  world = await World.open(sqlitePlace, { rateLimit: 1_000_000 });
  await world.import(acme);
  token = await world.token("acme");
});
afterAll(() => world.close());

/** The headers that every HTTP server sends; the document omits them. */
const USUAL = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "x-content-type-options",
]);

/** Validates an answer of an operation: status, headers, media type and body. */
function check(
  { path, responses }: ResolvedOperation,
  { status, headers, body }: Answer,
  by: Pick<typeof explorer, "validator"> = interfaceOf,
): void {
  const response = responses.find(([each]) => each === String(status))?.[1];
  if (response === undefined)
    throw new Error(`${path} answers ${status}, which the document does not have: ${body}`);
  const names = Object.keys(response.headers ?? {});
  const sent = Object.keys(headers).filter((name) => !USUAL.has(name));
  expect(names.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(sent));
  for (const [name, header] of Object.entries(HEADERS)) {
    if (names.includes(name) && "required" in header)
      expect(sent, `${path} ${status}`).toContain(name.toLowerCase());
  }
  const [type] = Object.keys(response.content ?? {});
  if (type === undefined) {
    expect(body).toBe("");
    return;
  }
  expect(String(headers["content-type"])).toMatch(type);
  if (type !== "application/json") return;
  const at =
    response.content?.[type]?.schema.$ref ??
    pointer("paths", path, "get", "responses", String(status), "content", type, "schema");
  expect(by.validator.problems(at, JSON.parse(body)), `${path} ${status}`).toBe("");
}

function operationAt(path: string): ResolvedOperation {
  const found = interfaceOf.described.find((each) => each.path === path);
  if (found === undefined) throw new Error(`The document has no ${path}.`);
  return found;
}

test("every page of every listing", async () => {
  for (const operation of OPERATIONS) {
    const resolved = operationAt(operation.path);
    const request = exampleRequest(operation);
    let next: string | undefined;
    do {
      const answer = await world.get(next === undefined ? request : `${request}&page=${next}`, token);
      expect(answer.status, answer.body).toBe(200);
      check(resolved, answer);
      next = JSON.parse(answer.body).next?.page;
      const etag = String(answer.headers.etag);
      const unchanged = await world.get(request, token, { "if-none-match": etag });
      expect(unchanged.status).toBe(304);
      check(resolved, unchanged);
    } while (next !== undefined);
  }
});

test("all spaces of Acme's members, so that every field occurs", async () => {
  const spaces = operationAt("/v1/orgs/{organizationId}/members/{userId}/spaces");
  const teams = operationAt("/v1/orgs/{organizationId}/members/{userId}/teams");
  const met = new Set<string>();
  for (const record of acme) {
    if (record.object !== "member") continue;
    const base = `/v1/orgs/acme/members/${encodeURIComponent(record.user)}`;
    const answer = await world.get(`${base}/spaces`, token);
    check(spaces, answer);
    check(teams, await world.get(`${base}/teams`, token));
    for (const { space } of JSON.parse(answer.body).items)
      for (const field of Object.keys(space)) met.add(field);
  }
  expect([...met].sort()).toEqual(Object.keys(document.components.schemas.Space?.properties ?? {}).sort());
});

test("every single thing, and its refusals", async () => {
  const stranger = await world.token("acme", "kofi@partner.example");
  const ana = await world.token("acme", "ana");
  for (const thing of THINGS) {
    const resolved = operationAt(thing.path);
    const request = exampleRequest(thing);
    const isCaller = thing.subject.of === "caller";
    const answer = await world.get(request, isCaller ? ana : token);
    const etag = String(answer.headers.etag);
    const isHidden = thing.asker === "nobody" || (thing.asker === "self" && !isCaller);
    const checked: readonly [status: number, answer: Answer][] = [
      [200, answer],
      [304, await world.get(request, isCaller ? ana : token, { "if-none-match": etag })],
      [400, await world.get(`${request}?limit=1`, token)],
      [401, await world.get(request)],
      [404, await world.get(absentIn(thing, request), token)],
      ...(isHidden ? [await world.get(request, stranger)] : []).map((each): [number, Answer] => [403, each]),
    ];
    for (const [status, each] of checked) {
      expect(each.status, `${request}: ${each.body}`).toBe(status);
      check(resolved, each);
    }
  }
});

test("refusals of every listing", async () => {
  const stranger = await world.token("acme", "kofi@partner.example");
  for (const operation of OPERATIONS) {
    const resolved = operationAt(operation.path);
    const request = exampleRequest(operation);
    const refused: readonly [status: number, answer: Answer][] = [
      [400, await world.get(`${request}&colour=red`, token)],
      [401, await world.get(request)],
      [401, await world.get(request, `rb_${"x".repeat(43)}`)],
      [404, await world.get(absentIn(operation, request), token)],
      [403, await world.get(request.replace("handbook", "partner"), stranger)],
      [414, await world.get(`${request}&page=${"x".repeat(9000)}`, token)],
    ];
    for (const [status, answer] of refused) {
      expect(answer.status, `${request}: ${answer.body}`).toBe(status);
      check(resolved, answer);
    }
  }
});

test("the rate limit", async () => {
  stopClock();
  const small = await World.open(sqlitePlace, { rateLimit: 1 });
  try {
    await small.import(acme);
    const [first] = OPERATIONS;
    if (first === undefined) throw new Error("no operation");
    const own = await small.token("acme");
    check(operationAt(first.path), await small.get(exampleRequest(first), own));
    const answer = await small.get(exampleRequest(first), own);
    expect(answer.status).toBe(429);
    check(operationAt(first.path), answer);
  } finally {
    await small.close();
  }
});

test("the explorer's requests", async () => {
  const queries: Record<string, string> = {
    "/explorer/counts": "?site=acme-docs",
    "/explorer/access": "?list=members&limit=2",
    "/explorer/why": "?space=api-reference&user=ana",
    "/explorer/csv": "?list=members",
    "/explorer/report": "?space=api-reference",
    "/explorer/outcomes":
      "?earlier=1&covers=every%20space%20and%20collection,%20guests%20only,%20every%20role",
    "/explorer/breaches": "?rule=Nobody",
    "/explorer/changes": "?space=api-reference",
    "/explorer/since": "?earlier=1",
    "/explorer/without": "?space=api-reference&without=team/docs",
  };
  const results = [
    { rule: "Nobody", breaches: 2, definition: '{"rule":"Nobody","what":"organization","how":"none"}' },
  ];
  await world.store.engine.transaction((connection) =>
    keepRuleResults(connection, "acme", { revision: 1, checkedAt: "2026-03-04T12:00:00.000Z", results }),
  );
  // A path without an operation would be routed and never answered.
  const declared = [...EXPLORER_OPERATIONS, ...EXPLORER_FILES, review].map(({ path }) => path);
  expect(declared.toSorted()).toEqual(EXPLORER_PATHS.toSorted());
  expect(explorer.described).toHaveLength(declared.length + Object.keys(SIGN_IN_PATHS).length);
  const redirecting: readonly string[] = Object.values(SIGN_IN_PATHS);
  for (const resolved of explorer.described) {
    // They are there only where sign-in is set up, and test/sign-in asks them.
    if (redirecting.includes(resolved.path)) continue;
    // test/explorer/server/review.test.ts asks it, with a body.
    if (resolved.path === review.path) continue;
    const url = `${resolved.path}${queries[resolved.path] ?? ""}`;
    const answer = await world.get(url, token);
    expect(answer.status, url).toBe(200);
    check(resolved, answer, explorer);
    for (const refused of [await world.get(url), await world.get(`${resolved.path}?x=1`, token)]) {
      check(resolved, refused, explorer);
    }
  }
});

/** A request for a subject that does not exist. */
function absentIn({ subject }: Pick<Operation, "subject">, request: string): string {
  return "parameter" in subject ? request.replace(exampleOf(subject.parameter), "absent") : request;
}

/** The example of a path parameter. */
function exampleOf(name: string): string {
  return String(PATH_PARAMETERS[name]?.example);
}

/** The values that are tried for each parameter. A new parameter needs a line here. */
const TRIED: Readonly<Record<QueryName, readonly string[]>> = {
  organizationRole: ["read", "admin", "guest", "", "Guest"],
  owner: ["", "ana"],
  search: ["", "ana", "@"],
  team: ["", "docs"],
  sort: ["name", "", "joinedAt", "Name"],
  nameOrder: ["asc", "desc", "", "up"],
  limit: ["1", "2", "100", "1000", "0", "1001", "-1", "1.5", "", "x"],
  role: ["read", "comment", "edit", "review", "create", "admin", "", "Admin", "owner", "inherit"],
  order: ["asc", "desc", "", "DESC", "up"],
  title: ["", "docs", "%"],
  nested: ["true", "false", "", "1"],
  page: ["", "x"],
};

const PARAMETERS: ReadonlyMap<string, Parameter> = new Map(Object.entries(QUERY_PARAMETERS));

test("parameters: what the document accepts, the server accepts, and nothing else", async () => {
  for (const operation of OPERATIONS) {
    const [path = ""] = exampleRequest(operation).split("?");
    const declared = queryParametersOf(operation);
    for (const [key, values] of Object.entries(TRIED)) {
      const { name = key } = PARAMETERS.get(key) ?? {};
      const has = declared.some((each) => each === key);
      // Two parameters have one name.
      if (!has && declared.some((each) => parameterName(each) === name)) continue;
      for (const text of values) {
        const isJson = name === "limit" ? /^-?[\d.]+$/.test(text) : name === "nested" && text !== "";
        const value: unknown = isJson ? JSON.parse(text) : text;
        const schema = pointer("components", "parameters", key, "schema");
        const sorted = has && key === "nameOrder" ? "sort=name&" : "";
        const accepts = has && name !== "page" && validator.problems(schema, value) === "";
        const { status } = await world.get(`${path}?${sorted}${name}=${encodeURIComponent(text)}`, token);
        expect(status, `${path}?${name}=${text}`).toBe(accepts ? 200 : 400);
      }
    }
  }
});
