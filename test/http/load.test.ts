/** How callers share a server. Here a caller is an address: 127.0.0.1 takes all, 127.0.0.2 asks beside it. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/http/app.ts";
import { answer, bodyOf, type Route } from "../../src/http/exchange.ts";
import { Load, type LoadLimits } from "../../src/http/load.ts";
import { createToken, listTokens, revokeToken } from "../../src/store/tokens.ts";
import { answersIn } from "../hostile/ask.ts";
import { serviceOf, sqlitePlace, World } from "../world.ts";
import { holds } from "../setup/property.ts";

const GREEDY = "127.0.0.1";
const OTHER = "127.0.0.2";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import([
    { object: "organization", id: "o", title: "O" },
    { object: "user", id: "m", displayName: "M" },
    { object: "member", organization: "o", user: "m", role: "read" },
  ]);
});
afterAll(() => world.close());

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function serve(limits: LoadLimits) {
  const load = new Load(limits);
  const began: string[] = [];
  const waiting: (() => void)[] = [];
  const text = (body: string) => answer(200, {}, bodyOf(body));
  const held = (which: string) => {
    began.push(which);
    return new Promise<void>((resolve) => waiting.push(resolve)).then(() => text(which));
  };
  const large = Buffer.alloc(24 << 20);
  const routes: Route[] = [
    {
      path: "/held/{which}",
      handler: ({ parameters: { which = "" } }) => held(which),
    },
    // Needs a token.
    { path: "/v1/held", handler: () => held("with a token") },
    {
      path: "/named/{which}",
      handler({ parameters: { which = "" } }) {
        began.push(which);
        return text(which);
      },
    },
    {
      path: "/broken",
      handler() {
        throw new Error("broken");
      },
    },
    {
      path: "/large",
      handler: () => answer(200, {}, { data: large, encoding: "latin1", length: large.length }),
    },
  ];
  const app = buildApp(serviceOf(world.store, { load }), false, routes);
  await app.listen({ host: "0.0.0.0", port: 0 });
  const port = app.addresses()[0]?.port ?? 0;
  const sockets: Socket[] = [];
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    release();
    await app.close();
  });
  function release(): void {
    for (const each of waiting.splice(0)) each();
  }
  async function connected(localAddress: string): Promise<Socket> {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    sockets.push(socket.on("error", () => {}));
    await once(socket, "connect");
    return socket;
  }
  /** Sends a request on a connection of its own. Resolves to the status, or to 0 if the connection is closed. */
  async function ask(from: string, path: string, token?: string): Promise<number> {
    const socket = await connected(from);
    const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}Connection: close\r\n\r\n`);
    const parts: Buffer[] = [];
    socket.on("data", (data: Buffer) => parts.push(data));
    await once(socket, "close");
    return answersIn(Buffer.concat(parts).toString("latin1"))[0]?.status ?? 0;
  }
  return { ask, began, connected, load, release };
}

test("a caller may hold all while nobody else asks, and waits then; another is answered at once", async () => {
  const { ask, began, load, release } = await serve({ working: 8 });
  const greedy = Array.from({ length: 9 }, (_, index) => ask(GREEDY, `/held/${index}`));
  await expect.poll(() => [load.total("working"), load.total("waiting")]).toEqual([8, 1]);
  expect(await ask(OTHER, "/named/other")).toBe(200);
  expect(began).toHaveLength(9);
  release();
  await expect.poll(() => began.length).toBe(10);
  release();
  expect(new Set(await Promise.all(greedy))).toEqual(new Set([200]));
});

test("above a quarter, a caller waits while another asks, and goes on when it holds less", async () => {
  const { ask, began, load, release } = await serve({ working: 8, remembered: Infinity });
  const other = ask(OTHER, "/held/other");
  await expect.poll(() => began.length).toBe(1);
  const greedy = Array.from({ length: 5 }, (_, index) => ask(GREEDY, `/held/${index}`));
  await expect.poll(() => load.total("waiting")).toBe(2);
  expect(load.total("working")).toBe(4);
  release();
  await expect.poll(() => began.length).toBe(6);
  release();
  expect(new Set(await Promise.all([other, ...greedy]))).toEqual(new Set([200]));
});

test("a member is one caller with all tokens; a token that is revoked while its request waits is refused", async () => {
  const { ask, began, load, release } = await serve({ working: 8, remembered: Infinity });
  const create = (name: string) => createToken(world.store, { organization: "o", member: "m", name });
  const [first, second] = [await create("first"), await create("second")];
  const other = ask(OTHER, "/held/other");
  await expect.poll(() => began.length).toBe(1);
  const firsts = Array.from({ length: 4 }, () => ask(GREEDY, "/v1/held", first));
  await expect.poll(() => [load.total("working"), load.total("waiting")]).toEqual([4, 1]);
  // The server has never seen this token: whose it is, it finds out in the turn of the address.
  const seconds = Array.from({ length: 2 }, () => ask("127.0.0.3", "/v1/held", second));
  await expect.poll(() => [load.total("working"), load.total("waiting")]).toEqual([4, 3]);
  const found = (await listTokens(world.store.engine)).find(({ name }) => name === "second");
  await revokeToken(world.store.engine, found?.id ?? "");
  release();
  expect(await Promise.all(seconds)).toEqual([401, 401]);
  await expect.poll(() => began.length).toBe(5);
  release();
  expect(await Promise.all([...firsts, other])).toEqual([200, 200, 200, 200, 200]);
});

test("whoever has a token that was revoked does not wait in the line of its member, nor its member behind them", async () => {
  const { ask, began, load, release } = await serve({ working: 8, remembered: Infinity });
  const create = (name: string) => createToken(world.store, { organization: "o", member: "m", name });
  const [own, stolen] = [await create("own"), await create("stolen")];
  const known = ask(OTHER, "/v1/held", stolen);
  await expect.poll(() => began.length).toBe(1);
  release();
  expect(await known).toBe(200);
  const found = (await listTokens(world.store.engine)).find(({ name }) => name === "stolen");
  await revokeToken(world.store.engine, found?.id ?? "");
  expect(await ask("127.0.0.3", "/v1/held", stolen)).toBe(401);
  const owns = Array.from({ length: 4 }, () => ask(GREEDY, "/v1/held", own));
  await expect.poll(() => [load.total("working"), load.total("waiting")]).toEqual([3, 1]);
  expect(await ask("127.0.0.3", "/v1/held", stolen)).toBe(401);
  expect(load.total("waiting")).toBe(1);
  release();
  await expect.poll(() => began.length).toBe(5);
  release();
  expect(await Promise.all(owns)).toEqual([200, 200, 200, 200]);
});

test("when the shares of all callers use a budget up, everybody is refused at once", async () => {
  const { ask, load, release } = await serve({ working: 8 });
  const all = ["127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"].flatMap((from) => [
    ask(from, "/held/a"),
    ask(from, "/held/b"),
  ]);
  await expect.poll(() => load.total("working")).toBe(8);
  expect(await ask(OTHER, "/named/other")).toBe(503);
  release();
  expect(new Set(await Promise.all(all))).toEqual(new Set([200]));
});

test("callers have turns one after the other, whoever has sent more", async () => {
  const { began, connected } = await serve({});
  const [greedy, other] = [await connected(GREEDY), await connected(OTHER)];
  const named = (which: string) => `GET /named/${which} HTTP/1.1\r\nHost: x\r\n\r\n`;
  // Each is one packet, which the server reads at once.
  greedy.write(named("greedy").repeat(300));
  other.write(named("other"));
  await expect.poll(() => began.length).toBe(301);
  expect(began.indexOf("other")).toBeLessThan(250);
});

test("connections that never send a request give way to a new one of another address, and not to one of their own", async () => {
  const { ask, connected, load } = await serve({ connections: 8 });
  const idle = await Promise.all(Array.from({ length: 8 }, () => connected(GREEDY)));
  await expect.poll(() => load.total("connections")).toBe(8);
  expect(await ask(GREEDY, "/named/own")).toBe(0);
  expect(idle.filter(({ closed }) => closed)).toEqual([]);
  const closed = Promise.race(idle.map((socket) => once(socket.resume(), "close")));
  expect(await ask(OTHER, "/named/other")).toBe(200);
  await closed;
  expect(idle.filter((socket) => socket.closed)).toHaveLength(1);
});

test("a caller who does not read is cut only while another needs its share", async () => {
  const { ask, connected, load } = await serve({ unsent: 40 << 20 });
  const slow = await Promise.all([connected(GREEDY), connected(GREEDY)]);
  for (const socket of slow) {
    socket.pause();
    socket.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  await expect.poll(() => load.total("unsent")).toBe(48 << 20);
  expect(await ask(OTHER, "/named/other")).toBe(200);
  await expect.poll(() => load.total("unsent")).toBeLessThan(40 << 20);
});

/** What a caller of the random test does: sends a request, or two on one connection; goes before its answer, or not. */
const STEP = fc.record({
  from: fc.constantFrom(GREEDY, OTHER, "127.0.0.3"),
  path: fc.constantFrom(
    "/held/a",
    "/v1/held",
    "/named/a",
    "/large",
    "/broken",
    "/v1/nothing",
    "/v1/held?limit=1000",
  ),
  token: fc.constantFrom("first", "second", "revoked", "none"),
  times: fc.integer({ min: 1, max: 2 }),
  next: fc.constantFrom("wait", "read", "go", "others go", "answer"),
});

test("whatever callers do, nothing is held when all have gone, and the whole server is there for the next", async () => {
  const limits = { working: 6, waiting: 12, asked: 2_500, unsent: 60 << 20, connections: 24 };
  const { ask, connected, load, release } = await serve({ ...limits, remembered: 5 });
  const tokens: Record<string, string> = { none: `rb_${"A".repeat(43)}` };
  for (const name of ["first", "second", "revoked"])
    tokens[name] = await createToken(world.store, { organization: "o", member: "m", name: `random ${name}` });
  const known = ask(GREEDY, "/v1/held", tokens["revoked"]);
  await expect.poll(() => load.total("working")).toBe(1);
  release();
  await known;
  const found = (await listTokens(world.store.engine)).find(({ name }) => name === "random revoked");
  await revokeToken(world.store.engine, found?.id ?? "");

  await holds(
    fc.asyncProperty(fc.array(STEP, { minLength: 10, maxLength: 40 }), async (steps) => {
      const sockets: Socket[] = [];
      for (const { from, path, token, times, next } of steps) {
        const socket = await connected(from);
        sockets.push(next === "read" ? socket.resume() : socket.pause());
        const authorization = `Authorization: Bearer ${tokens[token]}\r\n`;
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`.repeat(times));
        if (next === "go") socket.destroy();
        if (next === "others go") for (const each of sockets.splice(0, 3)) each.destroy();
        if (next === "answer") release();
      }
      for (const socket of sockets) socket.destroy();
      await expect
        .poll(() => {
          release();
          return [...load.used().map(([, ratio]) => ratio), load.answers, load.open];
        })
        .toEqual([0, 0, 0, 0, 0, 0, 0]);
    }),
    { numRuns: 20 },
  );
  const all = Array.from({ length: limits.working }, () => ask(OTHER, "/held/all"));
  await expect.poll(() => load.total("working")).toBe(limits.working);
  release();
  expect(new Set(await Promise.all(all))).toEqual(new Set([200]));
});
