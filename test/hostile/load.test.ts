import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { afterEach, expect, test } from "vitest";
import { sendError } from "../../src/http/errors.ts";
import { addLoad, Load, type LoadLimits } from "../../src/http/load.ts";
import { Line } from "./ask.ts";

/** Overload (contract, section 6): a 503 with Retry-After, quick, and only for as long as it lasts. */

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function serve(limits: LoadLimits) {
  const app = Fastify();
  app.setErrorHandler(sendError);
  addLoad(app, new Load(limits));
  app.get("/busy", async () => {
    const end = performance.now() + 60;
    while (performance.now() < end);
    return "busy";
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  app.get("/held", async () => {
    await held;
    return "held";
  });
  app.get("/large", async () => Buffer.alloc(24 << 20));
  app.get("/small", async () => "small");
  app.get("/healthz", async () => "alive");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const port = app.addresses()[0]?.port ?? 0;
  const line = new Line(port, 64);
  open.push(async () => {
    release();
    line.close();
    await app.close();
  });
  return { port, release, ask: (target: string) => line.ask({ method: "GET", target, headers: {} }) };
}

test("a turn that has taken long takes no more; the next one does", async () => {
  const { ask } = await serve({ turn: 200 });
  await Promise.all(Array.from({ length: 30 }, () => ask("/small")));
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask("/busy")));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(30);
  for (const { headers, body } of refused) {
    expect([headers["retry-after"], headers["cache-control"]]).toEqual(["1", "no-store"]);
    expect(JSON.parse(body)).toEqual({
      error: { code: 503, message: "The server has too much to do; ask again." },
    });
  }
  expect((await ask("/busy")).status).toBe(200);
});

test("so many at once and no more; a caller who left counts until the work for it has ended", async () => {
  const { ask, release, port } = await serve({ working: 5 });
  const held = Array.from({ length: 4 }, () => ask("/held"));
  const gone = connect(port, "127.0.0.1", () => gone.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\n"));
  await sleep(200);
  gone.destroy();
  await sleep(50);
  expect((await ask("/small")).status).toBe(503);
  expect((await ask("/healthz")).status).toBe(200);
  release();
  for (const answer of held) expect((await answer).status).toBe(200);
  for (let index = 0; index < 20; index++) expect((await ask("/small")).status).toBe(200);
});

test("answers that nobody takes are bounded in bytes, and let go when their callers are", async () => {
  const { ask, port } = await serve({ unsent: 40 << 20 });
  const slow = Array.from({ length: 2 }, () => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
    socket.on("error", () => {});
    return socket.pause();
  });
  await expect.poll(async () => (await ask("/small")).status, { timeout: 5000 }).toBe(503);
  expect((await ask("/healthz")).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await expect.poll(async () => (await ask("/small")).status, { timeout: 5000 }).toBe(200);
});
