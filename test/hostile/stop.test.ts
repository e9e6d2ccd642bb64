import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Program, rolebook } from "../crash/program.ts";
import { importWhole } from "../crash/killing.ts";
import { type Ground, largeGround } from "../crash/states.ts";
import { answersIn, Line } from "./ask.ts";

/** A graceful stop: every accepted request gets a complete answer, and no new one is accepted. */

const LISTING = "/v1/orgs/bench/members/%ID/spaces?limit=1000";

let ground: Ground;
let target: string;
let token: string;
beforeAll(async () => {
  ground = await largeGround("S");
  await importWhole(ground, ground.states[0], 3);
  const admin = ground.states[0].records.find((each) => each.object === "member" && each.role === "admin");
  target = LISTING.replace("%ID", encodeURIComponent(admin?.object === "member" ? admin.user : ""));
  const made = await rolebook(["token", "create", "--organization", "bench", "--database", ground.url]);
  token = made.stdout.trim();
});
afterAll(() => ground.close());

async function start() {
  const program = new Program(["serve", "--port", "0", "--database", ground.url]);
  const [, port = ""] = await program.says(/serves .*:(\d+)/);
  return { program, port: Number(port) };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** Everything that a socket receives until it is closed. */
function wholeOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    socket.on("data", (data: Buffer) => (said += data.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
  });
}

test("callers that keep sending requests get complete answers or a 503 with close, and no connection is cut", async () => {
  const { program, port } = await start();
  const counts = new Map<number, number>();
  const callers = Array.from({ length: 8 }, async () => {
    const line = new Line(port, 1);
    try {
      for (;;) {
        const { status, headers, body } = await line.ask({
          method: "GET",
          target,
          headers: { authorization: `Bearer ${token}` },
        });
        counts.set(status, (counts.get(status) ?? 0) + 1);
        expect([200, 503]).toContain(status);
        expect(Buffer.byteLength(body)).toBe(Number(headers["content-length"]));
        if (status !== 503) continue;
        expect([headers["retry-after"], headers.connection]).toEqual(["1", "close"]);
        return;
      }
    } finally {
      line.close();
    }
  });
  await sleep(700);
  program.kill("SIGTERM");
  await Promise.all(callers);
  const { status, signal } = await program.ended;
  expect([status, signal]).toEqual([0, null]);
  expect(counts.get(503)).toBe(8);
  expect(counts.get(200)).toBeGreaterThan(8);
  await expect(new Line(port).ask({ method: "GET", target, headers: {} })).rejects.toThrow("ECONNREFUSED");
});

test("a slow reader gets all of its answers; idle connections do not delay the stop", async () => {
  const { program, port } = await start();
  const idle = connect(port, "127.0.0.1");
  const slow = connect(port, "127.0.0.1");
  const said = wholeOf(slow);
  slow.write(request(target).repeat(60));
  slow.pause();
  await sleep(700);
  program.kill("SIGTERM");
  await sleep(1500);
  slow.resume();
  const started = Date.now();
  const { status } = await program.ended;
  const answers = answersIn(await said);
  expect([status, answers.length]).toEqual([0, 60]);
  for (const { status, headers, body } of answers) {
    expect([status, Buffer.byteLength(body)]).toEqual([200, Number(headers["content-length"])]);
  }
  expect(Date.now() - started).toBeLessThan(10_000);
  idle.destroy();
});
