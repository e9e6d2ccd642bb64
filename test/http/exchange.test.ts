/** What happens to a request when its handler fails, its client leaves, or it never becomes a request. */
import { connect } from "node:net";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ApiError, DatabaseFileError } from "../../src/domain/error.ts";
import { buildApp } from "../../src/http/app.ts";
import { answer, type Answered, bodyOf, type Handler } from "../../src/http/exchange.ts";
import { Load } from "../../src/http/load.ts";
import { answersIn, sendRaw } from "../hostile/ask.ts";
import { serviceOf, sqlitePlace, World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server with one route, `/x`, which needs no token. */
async function serve(handler: Handler) {
  const load = new Load();
  const told: Answered[] = [];
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const service = serviceOf(world.store, { load, onAnswered: (answered) => void told.push(answered) });
  const app = buildApp(service, log, [{ path: "/x", handler }]);
  await app.listen({ host: "127.0.0.1", port: 0 });
  open.push(() => app.close());
  const port = app.addresses()[0]?.port ?? 0;
  const ask = async (method = "GET") => {
    const said = await sendRaw(port, [`${method} /x HTTP/1.1\r\nHost: x\r\n\r\n`]);
    return {
      said,
      answer: answersIn(method === "HEAD" ? said.replace(/content-length: \d+/i, "x: y") : said)[0],
    };
  };
  return { app, ask, load, logged, port, told };
}

/** All that is in use, but connections. */
function used(load: Load) {
  const [working, asked, unsent] = (["working", "asked", "unsent"] as const).map((each) => load.total(each));
  return { working, asked, unsent, answers: load.answers, open: load.open };
}

const idle = { working: 0, asked: 0, unsent: 0, answers: 0, open: 0 };

test.each([
  ["an Error", new Error("secret"), 500, "Something went wrong on the server."],
  ["a text", "secret", 500, "Something went wrong on the server."],
  [
    "an error of the file",
    new DatabaseFileError("The disk is full."),
    503,
    "The database does not answer now; try again.",
  ],
  ["a refusal", new ApiError("forbidden", "No."), 403, "No."],
])(
  "%s that a handler throws becomes an answer; only a refusal is not logged",
  async (_, thrown, status, message) => {
    for (const handler of [
      () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ] as const) {
      const { ask, load, logged, told } = await serve(handler);
      const { answer: received } = await ask();
      expect(received?.status).toBe(status);
      expect(JSON.parse(received?.body ?? "")).toEqual({ error: { code: status, message } });
      expect(logged.length).toBe(status === 403 ? 0 : 1);
      await expect.poll(() => told.length).toBe(1);
      expect(told[0]).toMatchObject({ route: "/x", status, client: "127.0.0.1" });
      expect(used(load)).toEqual(idle);
    }
  },
);

test("an answer that Node refuses to write is an error like any other, and the connection goes on", async () => {
  const { ask, logged } = await serve(() => answer(200, { x: "a\r\nb" }, bodyOf("secret")));
  const { answer: received } = await ask();
  expect([received?.status, received?.body.includes("secret"), logged.length]).toEqual([500, false, 1]);
});

test("HEAD gets the headers of GET, and nothing after them", async () => {
  const { ask } = await serve(() => answer(200, { "x-y": "z" }, bodyOf("é")));
  const [get, head] = [(await ask()).said, (await ask("HEAD")).said];
  const undated = (said: string) => said.replace(/^Date: .*$/m, "");
  expect(undated(head)).toBe(undated(get).slice(0, -2));
});

test("a client that leaves before its answer is neither counted nor logged, and is load until its work has ended", async () => {
  let release = () => {};
  const { ask, load, port, told } = await serve(
    () => new Promise((resolve) => (release = () => resolve(answer(200, {}, bodyOf("late"))))),
  );
  const socket = connect(port, "127.0.0.1", () => socket.write("GET /x HTTP/1.1\r\nHost: x\r\n\r\n"));
  await expect.poll(() => load.total("working")).toBe(1);
  socket.destroy();
  await expect.poll(() => load.answers).toBe(0);
  expect(used(load)).toMatchObject({ working: 1, asked: 100 });
  release();
  await expect.poll(() => load.total("working")).toBe(0);
  // The next request is told; this one was not.
  const next = ask();
  await expect.poll(() => load.total("working")).toBe(1);
  release();
  await next;
  await expect.poll(() => told.length).toBe(1);
  expect(used(load)).toEqual(idle);
});

test("a request that does not arrive in time gets a 408, and its connection is closed", async () => {
  const { app, port } = await serve(() => answer(200, {}, bodyOf("")));
  const { requestTimeout, keepAliveTimeout, timeout } = app.server;
  expect({ requestTimeout, keepAliveTimeout, timeout }).toEqual({
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    timeout: 60_000,
  });
  app.server.once("connection", (socket) => {
    app.server.emit(
      "clientError",
      Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    );
  });
  const [late] = answersIn(await sendRaw(port, ["GET /x HTTP/1.1\r\n"]));
  expect([late?.status, late?.headers.connection]).toEqual([408, "close"]);
});
