import { afterAll, beforeAll, expect, test } from "vitest";
import { listTokens, revokeToken } from "../../../src/store/tokens.ts";
import { Program } from "../../crash/program.ts";
import { Line } from "../../hostile/ask.ts";
import { until } from "../../setup/until.ts";
import { World } from "../../world.ts";
import type { Balancer } from "./balancer.ts";
import { freePort } from "../server/port.ts";
import { usePostgres } from "../use.ts";
import { YEARLY, yearly } from "../yearly.ts";

const TARGET = "/v1/spaces/a/permissions/aggregate";
const CLIENTS = 6;
const LIMIT = 5;

/** Resolves when the proxy has sent a request to each server since that started. */
async function haveAnswered(ports: readonly number[]): Promise<void> {
  for (const port of ports) await until(`the proxy uses port ${port}`, () => hasAnswered(port));
}

/** Whether a server has answered a request that only clients of the proxy send. */
async function hasAnswered(port: number): Promise<boolean> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return /^rolebook_http_request_duration_seconds_count\{route="[^"]*(?:aggregate|healthz)"/m.test(text);
}

/** Tests two servers on one PostgreSQL behind a proxy. `start` starts a proxy for the ports of the servers. */
export function exerciseBehindProxy(start: (ports: readonly number[]) => Promise<Balancer>): void {
  const postgres = usePostgres();
  let world: World;
  let url: string;
  let right: unknown;

  beforeAll(async () => {
    const place = await postgres.places.open();
    url = place.url;
    world = await World.open(async () => place);
    await world.import(yearly(1));
    right = (await world.page(TARGET, await world.token(YEARLY))).items.length;
  });
  afterAll(async () => {
    await world.close();
  });

  async function serve(port: number, environment: Record<string, string> = {}): Promise<Program> {
    const program = new Program(["serve", "--port", String(port), "--database", url], { environment });
    await program.says(/Rolebook serves /);
    return program;
  }

  async function pair(environment: Record<string, string> = {}) {
    const ports = [await freePort(), await freePort()];
    const programs = await Promise.all(ports.map((port) => serve(port, environment)));
    const balancer = await start(ports);
    const ask = async (token: string, target = TARGET, port = balancer.port) => {
      const line = new Line(port, 1, port === balancer.port ? balancer.certificate : undefined);
      try {
        return await line.ask({ method: "GET", target, headers: { authorization: `Bearer ${token}` } });
      } finally {
        line.close();
      }
    };
    await until("the proxy uses both", async () => {
      await ask("", "/healthz");
      return (await Promise.all(ports.map(hasAnswered))).every(Boolean);
    });
    return {
      ports,
      programs,
      balancer,
      ask,
      async [Symbol.asyncDispose]() {
        for (const program of programs) program.kill("SIGTERM");
        await Promise.all(programs.map(({ ended }) => ended));
        await balancer[Symbol.asyncDispose]();
      },
    };
  }

  test("each server is restarted in turn, and no request fails", async () => {
    await using both = await pair();
    const token = await world.token(YEARLY);
    const load = new AbortController();
    const failures: string[] = [];
    let answered = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      const line = new Line(both.balancer.port, 1, both.balancer.certificate);
      while (!load.signal.aborted) {
        try {
          const headers = { authorization: `Bearer ${token}` };
          const { status, body } = await line.ask({ method: "GET", target: TARGET, headers });
          if (status === 200 && JSON.parse(body).count === right) answered++;
          else failures.push(`${status} ${body.slice(0, 200)}`);
        } catch (error) {
          failures.push(String(error));
        }
      }
      line.close();
    });
    for (const [index, port] of both.ports.entries()) {
      await haveAnswered(both.ports);
      const before = answered;
      both.programs[index]?.kill("SIGTERM");
      expect((await both.programs[index]?.ended)?.status).toBe(0);
      both.programs[index] = await serve(port);
      // The other server answered meanwhile.
      expect(answered).toBeGreaterThan(before);
    }
    await haveAnswered(both.ports);
    load.abort();
    await Promise.all(clients);
    expect(failures).toEqual([]);
    for (const port of both.ports) expect((await both.ask(token, TARGET, port)).status).toBe(200);
  });

  test("a revoked token is refused at its next request, on any server", async () => {
    await using both = await pair();
    const token = await world.token(YEARLY, "u00003");
    const target = `/v1/orgs/${YEARLY}/members/u00003/teams`;
    for (let round = 0; round < 4; round++) expect((await both.ask(token, target)).status).toBe(200);
    const { engine } = world.store;
    const found = (await listTokens(engine)).find(({ member }) => member === "u00003");
    await revokeToken(engine, found?.id ?? "");
    const statuses = await Promise.all(
      [both.balancer.port, both.balancer.port, ...both.ports].map((port) => both.ask(token, target, port)),
    );
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test("each server counts requests for itself, as documented", async () => {
    await using both = await pair({ ROLEBOOK_RATE_LIMIT: String(LIMIT) });
    const token = await world.token(YEARLY, "u00004");
    const target = `/v1/orgs/${YEARLY}/members/u00004/teams`;
    for (const port of both.ports) {
      let accepted = 0;
      for (let status = 200; status === 200; accepted += Number(status === 200))
        ({ status } = await both.ask(token, target, port));
      // It may be more: the window of the rate limit is a minute of the clock, which may end meanwhile.
      expect(accepted).toBeGreaterThanOrEqual(LIMIT);
    }
  });
}
