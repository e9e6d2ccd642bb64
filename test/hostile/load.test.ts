import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { buildApp } from "../../src/http/app.ts";
import { answer, bodyOf, type Route } from "../../src/http/exchange.ts";
import { Load, type LoadLimits } from "../../src/http/load.ts";
import { serviceOf, sqlitePlace, World } from "../world.ts";
import { Line } from "./ask.ts";

/** Overload (docs/errors.md): fast 503s with Retry-After, only while it lasts. */

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

function spin() {
  const end = performance.now() + 60;
  while (performance.now() < end);
}

/** A server with these limits, and with routes that need no token. */
async function serve(limits: LoadLimits, busy = spin) {
  let worked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const text = (body: string) => answer(200, {}, bodyOf(body));
  const large = Buffer.alloc(24 << 20);
  const routes: Route[] = [
    {
      path: "/busy",
      handler() {
        worked++;
        busy();
        return text("busy");
      },
    },
    { path: "/held", handler: () => held.then(() => text("held")) },
    {
      path: "/large",
      handler: () => answer(200, {}, { data: large, encoding: "latin1", length: large.length }),
    },
    { path: "/small", handler: () => text("small") },
    { path: "/healthz", kind: "probe", handler: () => text("alive") },
  ];
  const load = new Load(limits);
  const app = buildApp(serviceOf(world.store, { load }), false, routes);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const port = app.addresses()[0]?.port ?? 0;
  const line = new Line(port, 64);
  open.push(async () => {
    release();
    line.close();
    await app.close();
  });
  return {
    load,
    port,
    release,
    worked: () => worked,
    ask: (target: string) => line.ask({ method: "GET", target, headers: {} }),
  };
}

test("a request that would wait too long is refused; a later one is not", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { ask } = await serve({ wait: 200 }, () => vi.advanceTimersByTime(60));
  await Promise.all(Array.from({ length: 30 }, () => ask("/small")));
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask("/busy")));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(30);
  for (const { headers, body } of refused) {
    expect([headers["retry-after"], headers["cache-control"]]).toEqual(["1", "no-store"]);
    expect(JSON.parse(body)).toEqual({
      error: { code: 503, message: "The server is overloaded; try again." },
    });
  }
  expect((await ask("/busy")).status).toBe(200);
});

test("probes overtake most waiting requests, which keep their order", async () => {
  const { ask } = await serve({ wait: Infinity });
  // The connections are already open, so the server reads all requests in one turn of its event loop.
  await Promise.all(Array.from({ length: 31 }, () => ask("/small")));
  const order: number[] = [];
  const busy = Array.from({ length: 30 }, (_, index) => ask("/busy").then(() => order.push(index)));
  await busy[0];
  expect((await ask("/healthz")).status).toBe(200);
  const before = order.length;
  await Promise.all(busy);
  expect(before).toBeLessThan(10);
  expect(order).toEqual(busy.map((_, index) => index));
});

test("requests of disconnected clients are not processed", async () => {
  const { ask, load, port, worked } = await serve({ wait: Infinity });
  const before = worked();
  const gone = Array.from({ length: 30 }, () => connect(port, "127.0.0.1"));
  await expect.poll(() => load.total("connections")).toBe(gone.length);
  for (const socket of gone) socket.write("GET /busy HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(worked).toBeGreaterThan(before);
  for (const socket of gone) socket.destroy();
  expect((await ask("/small")).status).toBe(200);
  expect(worked() - before).toBeLessThan(15);
});

test("requested entries are limited, over all callers", async () => {
  const { ask, load, release } = await serve({ asked: 2_500 });
  const held = ["/held?limit=1000", "/held?x=1&limit=1000", "/held?limit=1", "/held"].map(ask);
  await expect.poll(() => load.total("asked")).toBe(2_101);
  // An invalid `limit` counts as the default.
  held.push(ask("/held?limit=99999"), ask("/held?limit=300"));
  await expect.poll(() => load.total("asked")).toBe(2_501);
  expect((await ask("/small?limit=1")).status).toBe(503);
  expect((await ask("/healthz")).status).toBe(200);
  release();
  for (const answer of held) expect((await answer).status).toBe(200);
  for (let index = 0; index < 20; index++) expect((await ask("/small?limit=1000")).status).toBe(200);
});

test("concurrent requests are limited; one of a disconnected client counts until its work has ended", async () => {
  const { ask, load, release, port } = await serve({ working: 5 });
  const held = Array.from({ length: 4 }, () => ask("/held"));
  const gone = connect(port, "127.0.0.1", () => gone.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\n"));
  await expect.poll(() => load.total("working")).toBe(5);
  gone.destroy();
  await expect.poll(() => load.answers).toBe(4);
  expect((await ask("/small")).status).toBe(503);
  expect((await ask("/healthz")).status).toBe(200);
  release();
  for (const answer of held) expect((await answer).status).toBe(200);
  for (let index = 0; index < 20; index++) expect((await ask("/small")).status).toBe(200);
});

test("unread answers are limited in bytes, and released when their clients disconnect", async () => {
  const { ask, port } = await serve({ unsent: 40 << 20 });
  const slow = Array.from({ length: 2 }, () => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
    socket.on("error", () => {});
    return socket.pause();
  });
  await expect.poll(async () => (await ask("/small")).status).toBe(503);
  expect((await ask("/healthz")).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await expect.poll(async () => (await ask("/small")).status).toBe(200);
});
