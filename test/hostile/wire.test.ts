import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { HANG } from "../setup/hang.ts";
import { type Answer, answersIn, sendRaw } from "./ask.ts";
import { faultIn } from "./shape.ts";
import { openTenants, type Tenants } from "./tenants.ts";

/** Bytes that no HTTP library would send. */

let tenants: Tenants;
let target: string;
let authorization: string;
beforeAll(async () => {
  tenants = await openTenants();
  const holder = tenants.holders.find(({ member }) => member === undefined);
  const listing = holder?.tenant.listings.find(({ endpoint }) => endpoint === 3);
  if (holder === undefined || listing === undefined) throw new Error("no space");
  target = holder.tenant.oracle.path(holder.tenant.id, listing);
  authorization = `Authorization: Bearer ${holder.token}\r\n`;
});
afterAll(() => tenants.close());

/** Sends parts and returns the answers. Every refusal must follow docs/errors.md. */
async function send(...parts: (string | Buffer)[]): Promise<Answer[]> {
  const answers = answersIn(await sendRaw(tenants.port, parts));
  for (const answer of answers) {
    if (answer.status >= 400) expect(faultIn("GET", answer), answer.body).toBeUndefined();
    expect(answer.status).toBeLessThan(500);
  }
  return answers;
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const get = (path: string, headers = authorization, version = "1.1") =>
  `GET ${path} HTTP/${version}\r\nHost: rolebook\r\n${headers}\r\n`;

describe("targets", () => {
  test("an absolute-form target is routed by its path; its origin is ignored", async () => {
    expect(statuses(await send(get(`http://elsewhere.example:9${target}`)))).toEqual([200]);
    expect(statuses(await send(get(`HTTPS://user:word@[::1]${target}`)))).toEqual([200]);
    expect(statuses(await send(get(`http://elsewhere.example${target}`, "")))).toEqual([401]);
    expect(statuses(await send(get("http://elsewhere.example/nothing", "")))).toEqual([404]);
    expect(statuses(await send(get("http://elsewhere.example/healthz", "")))).toEqual([200]);
    expect(statuses(await send(get(`ftp://elsewhere.example${target}`, "")))).toEqual([404]);
  });

  test("no spelling of /v1 avoids the token", async () => {
    for (const name of ["/%76%31", "/v%31", "/%761", "http://x/%761", "/v1#", "/v1?", "/v1/", "/v1/%"]) {
      expect(statuses(await send(get(`${name}/spaces/a/permissions/users`, ""))), name).toEqual([401]);
      expect(statuses(await send(get(`${name}/nothing`, ""))), name).toEqual([401]);
    }
  });

  test("under /explorer only the OpenAPI document needs no token, at its exact spelling", async () => {
    const path = "/explorer/openapi.json";
    for (const open of [path, `${path}?x=y`, `http://elsewhere.example${path}`])
      expect(statuses(await send(get(open, ""))), open).toEqual([200]);
    for (const other of [
      `${path}/`,
      `${path}%20`,
      "/explorer/me",
      "/explorer/x/../openapi.json",
      "/explorer",
    ])
      expect(statuses(await send(get(other, ""))), other).toEqual([401]);
  });

  test("dots, double slashes, backslashes and fragments lead to a missing path", async () => {
    const odd = [
      `/v1/../v1${target.slice(3)}`,
      `/x/..${target}`,
      `/.${target}`,
      `/${target}`,
      target.replaceAll("/", "\\"),
      target.replace("/spaces/", "/spaces/%2e%2e/spaces/"),
      `${target}#fragment`,
      `${target}%23`,
      `${target}%2f`,
      `${target};x`,
      `${target}/`,
      `${target}/.`,
      `${target}%00`,
      `/v1%2f${target.slice(4)}`,
    ];
    for (const path of odd) {
      const [answer, ...more] = await send(get(path));
      expect([400, 404], path).toContain(answer?.status);
      expect(more).toEqual([]);
    }
  });

  test("bytes that no URL may contain are refused, and the connection is closed", async () => {
    for (const bytes of ["\x00", "\x01", "\x7f", "\xff", "\xc3\xa9", "\xed\xa0\x80", " ", "\t", "\n"]) {
      const answers = await send(Buffer.from(get(`/v1/spaces/a${bytes}b/permissions/users`), "latin1"));
      expect(statuses(answers), JSON.stringify(bytes)).toEqual([400]);
      expect(answers[0]?.headers.connection).toBe("close");
    }
  });

  test("414 before 431, 431 before all others", async () => {
    const long = `${target}?page=${"x".repeat(9000)}`;
    expect(statuses(await send(get(long, "")))).toEqual([414]);
    expect(statuses(await send(get(`${target}?page=${"x".repeat(20_000)}`, "")))).toEqual([414]);
    expect(statuses(await send(get(long, `X: ${"y".repeat(20_000)}\r\n`)))).toEqual([414]);
    expect(statuses(await send(get("/nothing", `X: ${"y".repeat(20_000)}\r\n`)))).toEqual([431]);
    expect(statuses(await send(get(target, `${"X: y\r\n".repeat(4000)}`)))).toEqual([431]);
    const head = await sendRaw(tenants.port, [`HEAD ${target} HTTP/1.1\r\nX: ${"y".repeat(20_000)}\r\n\r\n`]);
    expect(head).toMatch(/^HTTP\/1\.1 431 [^{}]*\r\n\r\n$/);
  });
});

describe("methods", () => {
  test("an unknown method, CONNECT and OPTIONS * are refused like any other", async () => {
    expect(statuses(await send(`BREW ${target} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`))).toEqual([405]);
    expect(statuses(await send(`get ${target} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`))).toEqual([405]);
    expect(statuses(await send(`CONNECT db.internal:5432 HTTP/1.1\r\nHost: x\r\n\r\n`))).toEqual([405]);
    expect(statuses(await send(`OPTIONS * HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`))).toEqual([404]);
  });

  test("input that is not HTTP gets one answer, and the connection is closed", async () => {
    const hello = Buffer.from("160301020001000000fc0303", "hex");
    for (const bytes of [
      hello,
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\r\n\r\n\r\nhello\r\n\r\n",
      "GET\r\n\r\n",
      get(target, authorization, "3.7"),
    ]) {
      expect(statuses(await send(bytes))).toEqual([400]);
    }
  });

  test("HTTP/1.0 is answered and closed; HTTP/1.1 without a Host is a 400", async () => {
    const [old] = await send(`GET ${target} HTTP/1.0\r\n${authorization}\r\n`);
    expect([old?.status, old?.headers.connection]).toEqual([200, "close"]);
    expect(statuses(await send(`GET ${target} HTTP/1.1\r\n${authorization}\r\n`))).toEqual([400]);
  });
});

describe("headers", () => {
  test("two tokens count as none, even equal ones", async () => {
    expect(statuses(await send(get(target, authorization + authorization)))).toEqual([401]);
    expect(statuses(await send(get(target, `${authorization}authorization: Bearer x\r\n`)))).toEqual([401]);
    expect(statuses(await send(get(target, `AUTHORIZATION: Bearer x\r\n${authorization}`)))).toEqual([401]);
  });

  test("two Host headers are a 400, even equal ones", async () => {
    for (const host of ["Host: rolebook\r\n", "HOST: elsewhere.example\r\n", "host:\r\n"])
      expect(statuses(await send(get(target, host + authorization))), host).toEqual([400]);
  });

  test("control bytes and folded lines in headers are refused", async () => {
    for (const header of [
      "X: a\x00b\r\n",
      "X: a\x01b\r\n",
      "X\x00: a\r\n",
      "X : a\r\n",
      ": a\r\n",
      " folded\r\n",
      "X: a\rb\r\n",
    ]) {
      expect(
        statuses(await send(Buffer.from(get(target, authorization + header), "latin1"))),
        JSON.stringify(header),
      ).toEqual([400]);
    }
  });

  test("Expect and Upgrade change nothing", async () => {
    for (const header of [
      "Expect: 100-continue\r\n",
      "Expect: the unexpected\r\n",
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n",
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    ]) {
      expect(statuses(await send(get(target, authorization + header))), header).toEqual([200]);
    }
  });
});

test("a request for another protocol is the last one of its connection", async () => {
  const websocket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n";
  const [answer, ...more] = await send(get(target, authorization + websocket) + get("http:/x"));
  expect([answer?.status, answer?.headers.connection, more.length]).toEqual([200, "close", 0]);
});

describe("bodies", () => {
  test("a body on a GET is ignored; the next request on the connection is answered", async () => {
    const whole = "Content-Length: 5\r\n";
    const chunked = "Transfer-Encoding: chunked\r\n";
    for (const [header, body] of [
      [whole, "hello"],
      [`${whole}Content-Type: application/json\r\n`, "{oops"],
      [chunked, "5\r\nhello\r\n0\r\n\r\n"],
      [chunked, "5;x=y\r\nhello\r\n0\r\nTrailer: x\r\n\r\n"],
    ] as const) {
      const answers = await send(get(target, authorization + header) + body + get("/healthz"));
      expect(statuses(answers), header).toEqual([200, 200]);
    }
  });

  test("garbage after a body neither suppresses the answer nor smuggles a request", async () => {
    const smuggled = get(`/v1/spaces/smuggled/permissions/users`);
    for (const [header, body] of [
      ["Transfer-Encoding: chunked\r\n", `zz\r\n${smuggled}`],
      ["Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", `0\r\n\r\n${smuggled}`],
      ["Content-Length: 3\r\nContent-Length: 4\r\n", `abc${smuggled}`],
      ["Content-Length: -1\r\n", smuggled],
      ["Content-Length: 1e1\r\n", smuggled],
      ["Transfer-Encoding: gzip\r\n", smuggled],
      ["Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n", smuggled],
    ] as const) {
      const answers = await send(get(target, authorization + header) + body);
      expect(answers.map(({ body }) => body).join(), header).not.toContain("smuggled");
      expect(statuses(answers).at(-1), header).toBe(400);
    }
  });

  test("a POST with a body is refused by its method", async () => {
    const post = `POST ${target} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: text/odd\r\nContent-Length: 5\r\n\r\nhello`;
    expect(statuses(await send(post))).toEqual([405]);
  });

  test("a refused POST gets its answer at once, and its connection ends although its body never does", async () => {
    const { server } = tenants.world.app;
    const limits = { requestTimeout: server.requestTimeout, timeout: server.timeout };
    // What ends the connection is none of these.
    Object.assign(server, { requestTimeout: 0, timeout: 0 });
    onTestFinished(() => void Object.assign(server, limits));
    const answers = await sendUntilClosed(review("", "Content-Length: 100\r\n"), "a part");
    expect([statuses(answers), answers[0]?.headers.connection]).toEqual([[401], "close"]);
  });

  test("a refused POST whose body is still being sent is answered before its connection ends", async () => {
    const body = Buffer.alloc(8 << 20, "x");
    const answers = await sendUntilClosed(review("", `Content-Length: ${body.length}\r\n`), body);
    expect(statuses(answers)).toEqual([401]);
  });

  test.each([
    ["ends in the middle", "Content-Length: 100\r\n", "a part", true],
    ["is malformed", "Transfer-Encoding: chunked\r\n", "zz\r\n", false],
  ])("a POST whose body %s is refused, and waits for nothing", async (_, header, body, half) => {
    const json = `${authorization}Content-Type: application/json\r\n`;
    const answers = await sendUntilClosed(review(json, header), body, half);
    expect(statuses(answers)).toEqual([400]);
  });
});

/** The head of a review that is posted. */
function review(...headers: string[]): string {
  return `POST /explorer/review?answer=changes HTTP/1.1\r\nHost: x\r\n${headers.join("")}\r\n`;
}

/** What a request gets until the server ends its connection. */
function sendUntilClosed(head: string, body: string | Buffer, half = false): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect({ port: tenants.port, host: "127.0.0.1", allowHalfOpen: true }, () => {
      socket.write(head);
      if (half) socket.end(body);
      else socket.write(body);
    });
    socket.setTimeout(HANG, () => reject(new Error(`The connection goes on after: ${said}`)));
    socket.on("data", (data: Buffer) => (said += data.toString("latin1")));
    socket.on("end", () => {
      socket.destroy();
      resolve(answersIn(said));
    });
    socket.on("error", reject);
  });
}

describe("connections", () => {
  test("a connection ends when nobody asks any more", async () => {
    const { server } = tenants.world.app;
    const { keepAliveTimeout } = server;
    server.keepAliveTimeout = 1;
    onTestFinished(() => void (server.keepAliveTimeout = keepAliveTimeout));
    expect(statuses(await sendUntilClosed(get(target), ""))).toEqual([200]);
  });

  test("pipelined requests are answered in order, each completely", async () => {
    const many = [target, "/nothing", "/healthz", "/v1/nothing", target, `${target}?limit=0`];
    const answers = await send(
      many
        .map((path) => get(path))
        .join("")
        .repeat(10),
    );
    expect(statuses(answers)).toEqual(
      Array.from({ length: 10 }, () => [200, 404, 200, 404, 200, 400]).flat(),
    );
    expect(answers[0]?.body).toBe(answers[4]?.body);
  });

  test("garbage after a valid request does not suppress its answer", async () => {
    expect(statuses(await send(`${get(target)}RUBBISH\r\n\r\n`))).toEqual([200, 400]);
    expect(statuses(await send(`${get(target).repeat(3)}\x00\x00`))).toEqual([200, 200, 200, 400]);
  });

  test("a request that comes byte by byte is one request", async () => {
    expect(statuses(await send(...get(target)))).toEqual([200]);
  });

  test("connections that end in the middle leave nothing open", async () => {
    const whole = get(target);
    for (let length = 0; length < whole.length; length += 7) {
      await new Promise<void>((resolve) => {
        const socket = connect(tenants.port, "127.0.0.1", () => {
          socket.write(whole.slice(0, length));
          if (length % 2 === 0) socket.resetAndDestroy();
          else socket.destroy();
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve());
      });
    }
    expect(statuses(await send(whole))).toEqual([200]);
    const open = () =>
      new Promise<number>((resolve) => {
        tenants.world.app.server.getConnections((_, count) => resolve(count));
      });
    await expect.poll(open).toBe(0);
  });

  test("a client that closes its half of the connection still gets the answer", async () => {
    const said = await new Promise<string>((resolve) => {
      let all = "";
      const socket = connect({ port: tenants.port, host: "127.0.0.1", allowHalfOpen: true }, () =>
        socket.end(get(target)),
      );
      socket.on("data", (data: Buffer) => (all += data.toString("latin1")));
      socket.on("end", () => resolve(all));
    });
    expect(statuses(answersIn(said))).toEqual([200]);
  });
});
