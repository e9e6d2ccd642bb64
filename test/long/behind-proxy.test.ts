/**
 * Servers behind the proxies that docs/scale.md configures, where these are installed: restarts, revocations and limits of
 * two servers on one database, and what a proxy may not change of a request.
 */
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Program } from "../crash/program.ts";
import type { Balancer } from "../postgres/network/balancer.ts";
import { exerciseBehindProxy } from "../postgres/network/behind-proxy.ts";
import { type Form, PROXIES, type Proxy, startRealProxy } from "../postgres/network/real-proxy.ts";
import { freePort } from "../postgres/server/port.ts";
import { YEARLY, yearly } from "../postgres/yearly.ts";
import { until } from "../setup/until.ts";
import { World, sqlitePlace } from "../world.ts";

/** An id that is `ana%2Fops%2541` in a path: decoded once too often, it is another. */
const ANA = "ana/ops%41";
/** The client, apart from the proxy, which is 127.0.0.1. */
const CLIENT = "127.0.0.2";
const FORGED = "192.0.2.1";

for (const proxy of PROXIES) {
  if (proxy.file === undefined) {
    describe.skip(`behind ${proxy.name}: not run, because it is not installed`, () => {
      test("not run", () => {});
    });
    continue;
  }
  describe(`two servers on one database behind ${proxy.name}`, () =>
    exerciseBehindProxy((ports) => startRealProxy(proxy, ports)));
  describe(`${proxy.name} at the root`, () => exerciseConfiguration(proxy, "at the root", ""));
  describe(`${proxy.name} under a path`, () => exerciseConfiguration(proxy, "under a path", "/rolebook"));
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function exerciseConfiguration(proxy: Proxy, form: Form, below: string): void {
  let world: World;
  let programs: readonly Program[];
  let balancer: Balancer;
  let authorization: string;

  beforeAll(async () => {
    world = await World.open(sqlitePlace);
    await world.import([
      ...yearly(1),
      { object: "user", id: ANA, displayName: "Ana" },
      { object: "member", organization: YEARLY, user: ANA, role: "read" },
      { object: "teamMember", team: "t", user: ANA, role: "member" },
    ]);
    authorization = `Bearer ${await world.token(YEARLY)}`;
    const ports = [await freePort(), await freePort()];
    balancer = await startRealProxy(proxy, ports, form);
    const environment = {
      ROLEBOOK_LOG_LEVEL: "info",
      ROLEBOOK_PUBLIC_URL: `https://127.0.0.1:${balancer.port}${below}`,
      ROLEBOOK_TRUSTED_PROXIES: "127.0.0.1",
    };
    programs = ports.map(
      (port) => new Program(["serve", "--port", String(port), "--database", world.url], { environment }),
    );
    await Promise.all(programs.map((program) => program.says(/Rolebook serves /)));
    // HAProxy asks /readyz before it sends anything.
    await until("the proxy has a server", async () => (await ask("/healthz")).status === 200);
  });
  afterAll(async () => {
    for (const program of programs) program.kill("SIGTERM");
    await Promise.all(programs.map(({ ended }) => ended));
    await balancer[Symbol.asyncDispose]();
    await world.close();
  });

  /** Asks for a path as it is, below the address of the servers. */
  function ask(path: string, { method = "GET", headers = {}, body = "" }: Asked = {}): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const to = { host: "127.0.0.1", port: balancer.port, ca: balancer.certificate, localAddress: CLIENT };
      const sent = request({ ...to, method, path: `${below}${path}`, headers, agent: false }, (answer) => {
        buffer(answer).then(
          (body) => resolve({ status: answer.statusCode, headers: answer.headers, body }),
          reject,
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  test("%2F and %25 in an id stay", async () => {
    const path = `/v1/orgs/${YEARLY}/members/${encodeURIComponent(ANA)}`;
    expect(path).toContain("ana%2Fops%2541");
    const { status, body } = await ask(`${path}/teams?limit=1`, { headers: { authorization } });
    expect([status, JSON.parse(body.toString()).items.length]).toEqual([200, 1]);
  });

  test("the log has the client's address, whatever the client claims", async () => {
    const logged = Promise.any(programs.map((program) => program.says(/"status":401,.*"client":"([^"]*)"/)));
    for (const claimed of [FORGED, `${FORGED}, 127.0.0.1`]) {
      const { status } = await ask("/v1/user", { headers: { "x-forwarded-for": claimed } });
      expect(status).toBe(401);
    }
    expect((await logged)[1]).toBe(CLIENT);
  });

  test("the page and what it loads are found, and no spelling of a path leads elsewhere", async () => {
    const page = await ask("/");
    const links = [...page.body.toString().matchAll(/(?:src|href)="([^":]+)"/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(0);
    const base = `https://127.0.0.1${below}/`;
    for (const link of links) {
      const path = new URL(link, base).pathname;
      expect(path.startsWith(`${below}/`)).toBe(true);
      expect([link, (await ask(path.slice(below.length))).status]).toEqual([link, 200]);
    }
    const headers = { authorization };
    for (const path of ["/../export", "/%2e%2e/export", "/v1/..%2F..%2Fmetrics", "/%2Fmetrics"]) {
      const { status } = await ask(path, { headers });
      expect([path, [400, 404, 503].includes(status ?? 0)]).toEqual([path, true]);
    }
  });

  test("a review of 2 MiB reaches the server", async () => {
    const { status, body } = await ask("/explorer/review?answer=preview", {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: `{"report":"${"x".repeat(2 << 20)}"}`,
    });
    expect([status, JSON.parse(body.toString())]).toEqual([400, { error: expect.anything() }]);
  });

  test.skipIf(proxy.name !== "nginx")("lists, exports and files are compressed", async () => {
    const headers = { authorization, "accept-encoding": "gzip" };
    const list = "/v1/spaces/a/permissions/aggregate?limit=1000";
    for (const [path, type] of [
      [list, "application/json"],
      ["/export", "application/x-ndjson"],
    ] as const) {
      const answer = await ask(path, { headers });
      expect([answer.headers["content-type"]?.split(";")[0], answer.headers["content-encoding"]]).toEqual([
        type,
        "gzip",
      ]);
      expect(gunzipSync(answer.body).toString()).toContain("ana/ops%41");
    }
    const { headers: had } = await ask(list, { headers });
    expect((await ask(list, { headers: { ...headers, "if-none-match": had.etag ?? "" } })).status).toBe(304);
  });
}
