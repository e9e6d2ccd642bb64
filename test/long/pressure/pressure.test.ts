import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importWhole } from "../../crash/killing.ts";
import { Program, rolebook } from "../../crash/program.ts";
import { type Ground, largeGround } from "../../crash/states.ts";
import { Line } from "../../hostile/ask.ts";
import { LINES, writeMillionLines } from "./million-lines.ts";
import { writeReliability } from "../../../bench/harness/result.ts";
import { residentOf } from "./resident.ts";
import { quantile, type Seen, watch } from "./watch.ts";

/** A server under high load: bounded memory, fast `/healthz`, and 503 above the limit. */

const MEBIBYTE = 1 << 20;
const IDLE = 5_000;
const SLOW = 200;
const AT_ONCE = 4_000;

const figures: Record<string, string | number> = {};
let ground: Ground;
let server: Program;
let port: number;
let token: string;
let spaces: string[];

beforeAll(async () => {
  ground = await largeGround("S");
  await importWhole(ground, ground.states[0], 3);
  spaces = ground.states[0].records.flatMap((each) => (each.object === "space" ? each.id : []));
  token = (
    await rolebook(["token", "create", "--organization", "bench", "--database", ground.url])
  ).stdout.trim();
  server = new Program(["serve", "--port", "0", "--database", ground.url]);
  const [, found = ""] = await server.says(/serves .*:(\d+)/);
  port = Number(found);
});
afterAll(() => {
  server.kill();
  ground.close();
});

const listing = (index: number, limit = 1000) =>
  `/v1/spaces/${spaces[index % spaces.length]}/permissions/aggregate?limit=${limit}`;
const authorized = () => ({ authorization: `Bearer ${token}` });

function note(what: string, { peak, healthz }: Seen): void {
  figures[`${what}: the server's memory`] = `${Math.round(peak / MEBIBYTE)} MiB`;
  figures[`${what}: /healthz`] =
    `${quantile(healthz, 0.5).toFixed(1)} ms median, ${quantile(healthz, 0.99).toFixed(0)} ms p99, ${(healthz.at(-1) ?? 0).toFixed(0)} ms maximum`;
}

/** Opens connections that stay open. */
async function opened(count: number, first?: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    sockets.push(
      await new Promise<Socket>((resolve, reject) => {
        const socket = connect(port, "127.0.0.1", () => {
          if (first !== undefined) socket.write(first);
          resolve(socket);
        });
        socket.on("error", reject);
      }),
    );
  }
  return sockets;
}

test("5,000 idle connections, 200 slow readers and an import of 1,000,000 lines while it serves", async () => {
  const file = join(ground.folder, "million.ndjson");
  await writeMillionLines(file);
  const idle = await opened(IDLE);
  const large = Array.from(
    { length: 20 },
    (_, index) => `GET ${listing(index)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const slow = await opened(SLOW, large.join(""));
  for (const socket of slow) socket.pause();
  const line = new Line(port, 2);
  let answered = 0;
  const seen = await watch(server.pid, port, async () => {
    const importing = rolebook(["import", "--database", ground.url, file]);
    const stage = { over: false };
    const asking = (async () => {
      for (let index = 0; !stage.over; index++) {
        const { status } = await line.ask({
          method: "GET",
          target: listing(index, 50),
          headers: authorized(),
        });
        expect([200, 503]).toContain(status);
        if (status === 200) answered++;
        await sleep(10);
      }
    })();
    const { status, stderr } = await importing;
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^Wrote sqlite:.*\n$/)]);
    stage.over = true;
    await asking;
  });
  for (const socket of [...idle, ...slow]) socket.destroy();
  line.close();
  note(
    `${IDLE.toLocaleString("en")} idle connections, ${SLOW} slow readers, an import of ${LINES.toLocaleString("en")} lines`,
    seen,
  );
  figures["pages answered meanwhile"] = answered;
  expect(answered).toBeGreaterThan(100);
  expect(seen.peak).toBeLessThan(900 * MEBIBYTE);
  expect(quantile(seen.healthz, 0.99)).toBeLessThan(1_000);
});

test("4,000 concurrent large pages beside 5,000 idle connections: some are refused, later ones are not", async () => {
  const idle = await opened(IDLE);
  const line = new Line(port, AT_ONCE);
  const counts = new Map<number, number>();
  const seen = await watch(server.pid, port, async () => {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        // Every page is different, so that none is cached.
        line.ask({
          method: "GET",
          target: listing(index, 1000 - Math.floor(index / spaces.length)),
          headers: authorized(),
        }),
      ),
    );
    for (const { status, headers } of answers) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 503) expect(headers["retry-after"]).toBe("1");
    }
  });
  for (const socket of idle) socket.destroy();
  line.close();
  expect(seen.healthz.at(-1)).toBeLessThan(1_000);
  expect([...counts.keys()].every((status) => status === 200 || status === 503)).toBe(true);
  expect(counts.get(200) ?? 0).toBeGreaterThan(50);
  expect(counts.get(503) ?? 0).toBeGreaterThan(0);
  note(`${AT_ONCE.toLocaleString("en")} pages of 1,000 at once`, seen);
  figures["answered, and refused with a 503"] = `${counts.get(200)} and ${counts.get(503)}`;
  const after = new Line(port);
  for (let index = 0; index < 20; index++) {
    expect((await after.ask({ method: "GET", target: listing(index), headers: authorized() })).status).toBe(
      200,
    );
  }
  after.close();
});

test("connections that send nothing, or endless headers, are closed within two minutes", async () => {
  const started = Date.now();
  const silent = await opened(50);
  const endless = await opened(50, "GET / HTTP/1.1\r\nHost: x\r\n");
  const dripping = setInterval(() => {
    for (const socket of endless) if (socket.writable) socket.write("X: y\r\n");
  }, 1_000);
  const closed = await Promise.all(
    [...silent, ...endless].map(
      (socket) =>
        new Promise<number>((resolve) => {
          socket.on("data", () => {});
          socket.on("close", () => resolve(Date.now() - started));
        }),
    ),
  );
  clearInterval(dripping);
  const longest = Math.max(...closed);
  expect(longest).toBeLessThan(120_000);
  figures["silent and endless connections were closed within"] = `${Math.round(longest / 1000)} s`;
});

test("it releases its memory, and stops in order", async () => {
  await sleep(2_000);
  figures["memory after all that"] = `${Math.round(residentOf(server.pid) / MEBIBYTE)} MiB`;
  const line = new Line(port, 4);
  const asked = Array.from({ length: 4 }, (_, index) =>
    line.ask({ method: "GET", target: listing(index), headers: authorized() }),
  );
  await sleep(20);
  server.kill("SIGTERM");
  for (const answer of asked) expect((await answer).status).toBe(200);
  line.close();
  expect((await server.ended).status).toBe(0);
  writeReliability("Pressure", figures);
});
