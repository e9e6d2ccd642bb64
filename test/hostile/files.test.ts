import { connect } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildApp } from "../../src/http/app.ts";
import type { Engine } from "../../src/store/engine/engine.ts";
import { Store } from "../../src/store/store.ts";
import { createToken } from "../../src/store/tokens.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { replaced } from "../store/engine/statements/replaced.ts";
import { type Place, serviceOf, sqlitePlace, World } from "../world.ts";
import { type Answer, Line } from "./ask.ts";

/** Downloads that the client does not read. Each would keep a consistent read open. */

/** More data than connections buffer. */
const MEMBERS = 6_000;
const NAME = "x".repeat(4_000);
const TARGET = "/explorer/csv?list=members";

let place: Place;
let world: World;
let line: Line;
let port: number;
let token: string;
beforeAll(async () => {
  place = await sqlitePlace();
  world = await World.open(async () => place);
  await world.import([
    { object: "organization", id: "o", title: "O" },
    ...Array.from({ length: MEMBERS }, (_, index): SnapshotRecord[] => [
      { object: "user", id: `u${index}`, displayName: NAME },
      { object: "member", organization: "o", user: `u${index}`, role: "read" },
    ]).flat(),
  ]);
  token = await world.token("o");
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  port = world.app.addresses()[0]?.port ?? 0;
  line = new Line(port);
});
afterAll(async () => {
  line.close();
  await world.close();
});

const ask = (own: string, target = TARGET): Promise<Answer> =>
  line.ask({ method: "GET", target, headers: { authorization: `Bearer ${own}` } });

/** Requests files, and does not read them. */
function askAndSleep(times: number, at = port): () => void {
  const socket = connect(at, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET ${TARGET} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(times));
  socket.pause();
  return () => socket.destroy();
}

/** Whether an old consistent read is still open. */
async function isHeldOpen(): Promise<boolean> {
  // A change makes older reads visible in the database.
  await createToken(world.store, { organization: "o", name: "new" });
  const database = new DatabaseSync(place.url.replace("sqlite:", ""));
  try {
    return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy !== 0;
  } finally {
    database.close();
  }
}

test("of a caller who leaves before the file begins, nothing remains", async () => {
  const { engine } = world.store;
  const [hasOpened, hasLeft] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isOpen = true;
  const view: Engine["view"] = async () => {
    const opened = await engine.view();
    hasOpened.resolve();
    await hasLeft.promise;
    const close = async () => {
      await opened[Symbol.asyncDispose]();
      isOpen = false;
    };
    return replaced(opened, { [Symbol.asyncDispose]: close });
  };
  const app = buildApp(serviceOf(new Store(replaced(engine, { view }))), false);
  onTestFinished(() => app.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
  app.server.on("connection", (socket) => socket.once("close", () => hasLeft.resolve()));
  const leave = askAndSleep(1, app.addresses()[0]?.port);
  await hasOpened.promise;
  leave();
  await expect.poll(() => isOpen).toBe(false);
});

test.each([
  ["one after the other on one connection", [30]],
  ["on many connections", Array.from({ length: 30 }, () => 1)],
])("requested %s: at most two per token, others continue, and nothing remains of them", async (_, times) => {
  const leave = times.map((each) => askAndSleep(each));
  await expect
    .poll(async () => {
      const { status } = await ask(token);
      // Who reads nothing for long is cut: on a slow machine before the first look.
      if (status !== 503) leave.push(...times.map((each) => askAndSleep(each)));
      return status;
    })
    .toBe(503);
  // The limit is one for all kinds of files.
  expect((await ask(token, "/export")).status).toBe(503);
  const refused = await ask(token);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
  expect(JSON.parse(refused.body).error.message).toBe("Too many files are being downloaded; try again.");
  const other = await createToken(world.store, { organization: "o", name: "other" });
  expect((await ask(other)).body.trimEnd().split("\r\n")).toHaveLength(MEMBERS + 6);
  expect(await isHeldOpen()).toBe(true);
  for (const each of leave) each();
  await expect.poll(async () => (await ask(token)).status).toBe(200);
  await expect.poll(isHeldOpen).toBe(false);
});
