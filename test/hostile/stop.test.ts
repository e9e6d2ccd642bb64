import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Program, rolebook } from "../crash/program.ts";
import { importWhole } from "../crash/killing.ts";
import { type Ground, largeGround } from "../crash/states.ts";
import { samplesOf } from "../http/metrics/exposition.ts";
import { type Answer, answersIn, Line } from "./ask.ts";

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

/**
 * Their answers are more than the system keeps for a connection, and they themselves are one read of the server: a
 * connection with unread input would be reset at its end.
 */
const MANY = 90;

/** A connection that sends many requests and reads only the first bytes. The server waits until more is read. */
async function slowReader(port: number) {
  const socket = connect(port, "127.0.0.1");
  const said = wholeOf(socket);
  socket.write(request(target).repeat(MANY));
  await once(socket, "data");
  socket.pause();
  // A server that could write more would have done so between two looks.
  let sent = 0;
  for (let equal = 0; equal < 10 || sent === 0;) {
    const now = await answersSent(port);
    equal = now === sent ? equal + 1 : 0;
    sent = now;
  }
  return { sent, said, resume: () => socket.resume() };
}

/** How many answers to listings the server has sent. */
async function answersSent(port: number): Promise<number> {
  const { body } = await ask(port, "/metrics");
  const counts = samplesOf(body).filter(
    ({ name, labels }) =>
      name === "rolebook_http_request_duration_seconds_count" && labels.route?.startsWith("/v1/"),
  );
  return counts.reduce((sum, { value }) => sum + value, 0);
}

async function ask(port: number, path = target): Promise<Answer> {
  const line = new Line(port, 1);
  try {
    return await line.ask({ method: "GET", target: path, headers: { authorization: `Bearer ${token}` } });
  } finally {
    line.close();
  }
}

test("callers that keep sending requests get complete answers or a 503 with close, and no connection is cut", async () => {
  const { program, port } = await start();
  // The server answers as long as this reader waits, however late the callers send their next request.
  const slow = await slowReader(port);
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
  await expect.poll(() => counts.get(200) ?? 0).toBeGreaterThan(8);
  program.kill("SIGTERM");
  await Promise.all(callers);
  slow.resume();
  const { status, signal } = await program.ended;
  expect([status, signal]).toEqual([0, null]);
  expect(counts.get(503)).toBe(8);
  await expect(new Line(port).ask({ method: "GET", target, headers: {} })).rejects.toThrow("ECONNREFUSED");
});

test("a slow reader gets all of its answers; idle connections do not delay the stop", async () => {
  const { program, port } = await start();
  const idle = connect(port, "127.0.0.1");
  const slow = await slowReader(port);
  program.kill("SIGTERM");
  /** The time of the stopping server, in a refusal. */
  const refusedAt = async () => {
    const { status, headers } = await ask(port);
    return status === 503 ? Date.parse(headers.date ?? "") : 0;
  };
  await expect.poll(refusedAt).toBeGreaterThan(0);
  const begun = await refusedAt();
  // Longer than a stopping server waits for new connections.
  await expect.poll(refusedAt).toBeGreaterThanOrEqual(begun + 2_000);
  slow.resume();
  const { status } = await program.ended;
  const answers = answersIn(await slow.said);
  expect(status).toBe(0);
  // Requests behind an answer that closes the connection were not accepted.
  expect(answers.length === MANY || answers.at(-1)?.headers.connection === "close").toBe(true);
  expect(answers.length).toBeGreaterThan(slow.sent);
  for (const { status, headers, body } of answers) {
    expect(Buffer.byteLength(body)).toBe(Number(headers["content-length"]));
    expect(status === 200 || (status === 503 && headers.connection === "close")).toBe(true);
  }
  idle.destroy();
});
