import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Program, rolebook } from "../crash/program.ts";
import { temporaryFolder } from "../folder.ts";
import { Line } from "./ask.ts";

/** One caller takes what all share; another one is answered as if it were alone (docs/errors.md). */

/** The connections of the caller who takes too much. */
const CONNECTIONS = 200;
/** The connections that one caller may have alone. */
const MOST_CONNECTIONS = 10_000;
/** The spaces of the organization: a page of them is large. */
const SPACES = 1_000;
const TREE = "/explorer/tree?limit=1000";
const SPACES_OF_ADMIN = "/v1/orgs/many/members/admin/spaces?limit=1000";
/** What the other caller asks for. */
const ASKED = ["/explorer/tree", "/explorer/me", TREE, SPACES_OF_ADMIN, "/v1/spaces/s1/permissions/users"];

let server: Program;
let port: number;
let greedy: string;
let other: string;
const folder = temporaryFolder();

beforeAll(async () => {
  const database = `sqlite:${join(folder, "many.db")}`;
  const file = join(folder, "many.ndjson");
  writeFileSync(
    file,
    many()
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(""),
  );
  const imported = await rolebook(["import", "--database", database, file]);
  expect(imported.status, imported.stderr).toBe(0);
  const create = async () =>
    (await rolebook(["token", "create", "--organization", "many", "--database", database])).stdout.trim();
  greedy = await create();
  other = await create();
  server = new Program(["serve", "--port", "0", "--database", database]);
  const [, found = ""] = await server.says(/serves .*:(\d+)/);
  port = Number(found);
});
afterAll(() => server.kill());

function many(): object[] {
  const created = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" };
  return [
    { object: "organization", id: "many", title: "Many" },
    { object: "user", id: "admin", displayName: "Admin" },
    { object: "member", organization: "many", user: "admin", role: "admin" },
    ...Array.from({ length: SPACES }, (_, index) => ({
      object: "space",
      id: `s${index}`,
      organization: "many",
      title: `Space ${index}`,
      visibility: "private",
      ...created,
    })),
  ];
}

/** A connection, which ends with its scope. */
function line(): Pick<Line, "ask"> & Disposable {
  const asking = new Line(port, 1);
  return { ask: (request) => asking.ask(request), [Symbol.dispose]: () => asking.close() };
}

const close: (() => void)[] = [];
afterEach(() => {
  for (const each of close.splice(0)) each();
});

const requestFor = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy}\r\n\r\n`;

/** Opens the connections of the greedy caller. `begin` is called with each when it is open. */
function attack(begin: (socket: Socket) => void): void {
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(port, "127.0.0.1", () => begin(socket));
    return socket.on("error", () => {});
  });
  close.push(() => sockets.forEach((each) => each.destroy()));
}

/** The statuses of what the other caller asks for, one request after the other. */
async function askAsOther(times: number): Promise<Set<number>> {
  using asking = line();
  const statuses = new Set<number>();
  const headers = { authorization: `Bearer ${other}` };
  for (let count = 0; count < times; count++) {
    const target = ASKED[count % ASKED.length] ?? "";
    statuses.add((await asking.ask({ method: "GET", target, headers })).status);
  }
  return statuses;
}

/** What is used of a budget, by what one caller may use alone. */
async function used(of: string): Promise<number> {
  using asking = line();
  const { body } = await asking.ask({ method: "GET", target: "/metrics", headers: {} });
  return Number(new RegExp(`^rolebook_http_used_ratio\\{of="${of}"\\} (\\S+)$`, "m").exec(body)?.[1]);
}

test("beside a caller with 200 connections that always ask for long lists, another is never refused", async () => {
  let answers = 0;
  attack((socket) => {
    let rest = 0;
    socket.on("data", (data: Buffer) => {
      const begin = rest === 0 ? data.indexOf("\r\n\r\n") + 4 : 0;
      if (rest === 0) rest = Number(/content-length: (\d+)/i.exec(data.toString("latin1"))?.[1]);
      rest -= data.length - begin;
      if (rest > 0) return;
      answers++;
      socket.write(requestFor(TREE));
    });
    socket.write(requestFor(TREE));
  });
  await expect.poll(() => answers).toBeGreaterThan(CONNECTIONS);
  expect(await askAsOther(30)).toEqual(new Set([200]));
});

test("a caller who never reads may take all while nobody else asks; then another is never refused, and the first is cut", async () => {
  attack((socket) => {
    socket.pause();
    socket.write(requestFor(SPACES_OF_ADMIN).repeat(40));
  });
  await expect.poll(() => used("unsent")).toBeGreaterThanOrEqual(1);
  expect(await used("connections")).toBeGreaterThan(CONNECTIONS / MOST_CONNECTIONS);
  expect(await askAsOther(30)).toEqual(new Set([200]));
  // Who does not read does not notice that the connection is closed.
  await expect
    .poll(() => askAsOther(1).then(() => used("connections")))
    .toBeLessThan(CONNECTIONS / MOST_CONNECTIONS);
  expect(await askAsOther(30)).toEqual(new Set([200]));
});
