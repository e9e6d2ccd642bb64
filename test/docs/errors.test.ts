/** docs/errors.md and the code have the same refusals, and a server sends them. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STATUS } from "../../src/domain/error.ts";
import { buildApp } from "../../src/http/app.ts";
import { refusalComponents } from "../../src/http/openapi/components.ts";
import { textOf } from "../examples/acme.ts";
import { stopClock } from "../setup/clock.ts";
import { serviceOf, sqlitePlace, World } from "../world.ts";
import { fits, type Refusal, refusalsIn } from "./reading/refusals.ts";
import { type Served, serveAcme } from "./served.ts";
import { runDirectly } from "../directly.ts";

/** The rows of the tables of docs/errors.md. */
const documented: readonly Refusal[] = textOf("docs/errors.md")
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const rows = [...section.matchAll(/^\| `(.+?)` \|.+\|$/gm)];
    return rows.map(([, message = ""]) => ({ status: Number.parseInt(section, 10), message }));
  });
const coded = refusalsIn(new URL("../../src", import.meta.url).pathname);

const same = (a: Refusal) => (b: Refusal) => a.status === b.status && fits(a.message, b.message);

/** Whether the page contains a refusal of the code; a row with `…` may match several. */
const isTold = (code: Refusal) => documented.some((row) => same(code)(row) || same(row)(code));

test("the page has every refusal of the code", () => {
  expect(coded.length).toBeGreaterThan(20);
  expect(coded.filter((each) => !isTold(each))).toEqual([]);
});

test("the page has no other", () => {
  expect(documented.filter((each) => !coded.some((code) => same(code)(each)))).toEqual([]);
  const texts = documented.map(({ status, message }) => `${status} ${message}`);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test("the page has every status of the code", () => {
  const statuses = new Set(documented.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([...new Set([408, ...Object.values(STATUS)])].sort());
});

test("the OpenAPI document shows refusals of the page", () => {
  const examples = Object.values(refusalComponents()).map(
    ({ content }) => content?.["application/json"]?.example,
  );
  // But those of a body, which only the explorer's document has.
  expect(examples).toHaveLength(Object.keys(STATUS).length - 2);
  for (const example of examples) {
    const { error }: { error: { code: number; message: string } } = JSON.parse(JSON.stringify(example));
    const shown: Refusal = { status: error.code, message: error.message };
    expect(
      documented.some((row) => same(row)(shown)),
      shown.message,
    ).toBe(true);
  }
});

let served: Served;
let port: number;
beforeAll(async () => {
  served = await serveAcme();
  port = served.world.app.addresses()[0]?.port ?? 0;
});
afterAll(() => served.world.close());

async function refusalOf(path: string, token?: string, method: "GET" | "PUT" = "GET"): Promise<Refusal> {
  const { status, body } = await served.world.ask(method, path, token);
  return readRefusal(status, body);
}

/** The refusal of a body that begins with these headers and bytes. */
function posted(token: string, headers: string, body = ""): Promise<Refusal> {
  const head = `POST /explorer/review?answer=changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n`;
  return raw(`${head}${headers}\r\nConnection: close\r\n\r\n${body}`);
}

function readRefusal(status: number, body: string): Refusal {
  const { error } = JSON.parse(body);
  expect(error.code).toBe(status);
  return { status, message: error.message };
}

/** The answer to bytes sent over a connection. */
async function raw(bytes: string): Promise<Refusal> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (part) => (text += part));
  socket.write(bytes);
  await once(socket, "close");
  return readRefusal(Number(text.split(" ")[1]), text.slice(text.indexOf("\r\n\r\n") + 4));
}

/** Refusals that need another database or a special state; test/postgres and test/http cover them. */
const ELSEWHERE = [
  "The request did not arrive in time.",
  // test/http/sign-in sends the next four, and those of too many people.
  "The cookie of the session is given twice; accepted: once.",
  "The parameter to is …; accepted: the query of an address of the page, such as ?space=ID.",
  "A session counts only for requests of the page itself: Sec-Fetch-Site is …; accepted: same-origin.",
  "The Origin is …; accepted: ….",
  "The server is overloaded; try again.",
  // test/http/loading.test.ts has these two.
  "The organization is being loaded; try again.",
  "The server is loading the organizations used last.",
  "The database does not answer now; try again.",
  "Another database server has taken over; try again.",
  "Too many files are being downloaded; try again.",
  "This revision was just deleted; try again.",
  "The directory is being imported too often to read a page of it.",
  // At the first sign-in, by a source of changes that never rests.
  "The organization changes faster than it can be read; try again.",
  "Too many people are signing in now; try again.",
  "Too many people are signing in from your address; try again.",
  "The database cannot be written now, so the session goes on; try again.",
];

test("a server sends every refusal of the page", async () => {
  const { world } = served;
  const token = await world.token("acme");
  const guest = await world.token("acme", "kofi@partner.example");
  const users = "/v1/spaces/api-reference/permissions/users";
  const made: Refusal[] = [
    await raw("no request\r\n\r\n"),
    await raw(`GET ${users} HTTP/1.1\r\nConnection: close\r\n\r\n`),
    await raw(`GET ${users} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`),
    await raw(`BREW ${users} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    await raw(`GET ${users} HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`),
    await refusalOf(`${users}?page=${"x".repeat(9_000)}`, token),
    await refusalOf(users),
    await refusalOf(users, "rb_wrong"),
    await refusalOf("/v1/nothing", token),
    await refusalOf("/v1/spaces/nothing/permissions/users", token),
    await refusalOf(`/at/yesterday${users}`, token),
    await refusalOf(`/at/2000-01-01${users}`, token),
    await refusalOf(users, token, "PUT"),
    await refusalOf(`${users}?rolle=read`, token),
    await refusalOf(`${users}?limit=1&limit=2`, token),
    await refusalOf(`${users}?limit=%zz`, token),
    await refusalOf(`${users}?limit=0`, token),
    await refusalOf(`${users}?page=x`, token),
    await refusalOf("/v1/spaces/api-reference/permissions/aggregate?role=owner", token),
    await refusalOf("/v1/orgs/acme/members/ana/spaces?order=up", token),
    await refusalOf("/v1/orgs/acme/collections?nested=false", token),
    await refusalOf("/v1/orgs/acme/members?role=owner", token),
    await refusalOf("/v1/orgs/acme/members?order=asc", token),
    await refusalOf("/v1/orgs/acme/members?sort=joinedAt", token),
    await refusalOf("/v1/orgs/acme/teams?owner=", token),
    await refusalOf("/v1/user", token),
    await refusalOf("/v1/orgs/acme/teams/docs", guest),
    await refusalOf(users, guest),
    await refusalOf("/v1/orgs/acme/members/ana/teams", guest),
    await refusalOf("/v1/orgs/acme/sites/acme-docs/permissions/aggregate", guest),
    await posted(token, "Content-Type: text/csv"),
    await posted(token, "Content-Type: application/json\r\nContent-Encoding: gzip"),
    await posted(token, `Content-Type: application/json\r\nContent-Length: ${1 << 25}`),
    await posted(token, "Content-Type: application/json\r\nContent-Length: 1", "{"),
    await refusalOf("/v1/orgs/acme/members", guest),
    await refusalOf("/export", guest),
    await limited(),
    ...(await broken()),
    await stopping(),
  ];
  expect(made.filter((each) => !documented.some((row) => same(row)(each)))).toEqual([]);
  const left = documented.filter((row) => !made.some(same(row)));
  expect(left.map(({ message }) => message)).toEqual(ELSEWHERE);
});

/** The refusal of one request too many. */
async function limited(): Promise<Refusal> {
  stopClock();
  const world = await World.open(sqlitePlace, { rateLimit: 1 });
  try {
    await world.import([{ object: "organization", id: "o", title: "O" }]);
    const token = await world.token("o");
    await world.get("/v1/spaces/s/permissions/users", token);
    const { status, body } = await world.get("/v1/spaces/s/permissions/users", token);
    return readRefusal(status, body);
  } finally {
    await world.close();
  }
}

/**
 * The refusals of a server whose database lacks what the readiness check reads, and of one whose database lacks a
 * table.
 */
async function broken(): Promise<Refusal[]> {
  const world = await World.open(sqlitePlace);
  try {
    await world.import([{ object: "organization", id: "o", title: "O" }]);
    const token = await world.token("o");
    await runDirectly(world.store.engine, "DELETE FROM counter; DROP TABLE content_row");
    const unready = await world.get("/readyz");
    const unexpected = await world.get("/v1/spaces/s/permissions/users", token);
    return [readRefusal(unready.status, unready.body), readRefusal(unexpected.status, unexpected.body)];
  } finally {
    await world.close();
  }
}

/** The refusal of a server that is stopping. */
async function stopping(): Promise<Refusal> {
  const app = buildApp(serviceOf(served.world.store, { draining: true }), false);
  try {
    const { statusCode, body } = await app.inject("/readyz");
    return readRefusal(statusCode, body);
  } finally {
    await app.close();
  }
}
