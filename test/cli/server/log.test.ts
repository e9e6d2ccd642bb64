/** The log of a server: one JSON object per line. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Program, rolebook } from "../../crash/program.ts";
import { sendRaw } from "../../hostile/ask.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { sqlitePlace, World } from "../../world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(yearly(1));
});
afterAll(() => world.close());

interface Line {
  readonly time: string;
  readonly level: number;
  readonly msg: string;
  readonly route?: string;
  readonly status?: number;
  readonly client?: string;
}

/** The parsed lines of the log. Throws if one is not JSON. */
function linesOf(said: string): Line[] {
  return said
    .trimEnd()
    .split("\n")
    .map((line): Line => JSON.parse(line));
}

/** Starts a server, calls `ask`, and stops the server. Returns its log. */
async function logOf(environment: Record<string, string>, ask: (port: number) => Promise<void>) {
  const server = new Program(["serve", "--port", "0", "--database", world.url], {
    environment: { ROLEBOOK_LOG_LEVEL: "info", ...environment },
  });
  onTestFinished(() => server.kill());
  const [, port = ""] = await server.says(/Rolebook serves .*:(\d+)"/);
  await ask(Number(port));
  server.kill("SIGTERM");
  const { status, stderr } = await server.ended;
  expect(status).toBe(0);
  const lines = linesOf(stderr);
  for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
  return lines;
}

const PATH = "/v1/spaces/a/permissions/users";

async function get(port: number, path: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await response.arrayBuffer();
  return response.status;
}

test("start, requests, refusals with the client's address, and stop, but no probes", async () => {
  const authorization = `Bearer ${await world.token(YEARLY)}`;
  const lines = await logOf({}, async (port) => {
    // A probe that fails is logged.
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect.poll(metrics).toContain("\nrolebook_models 1\n");
    for (const path of ["/healthz", "/readyz", "/metrics"]) expect(await get(port, path)).toBe(200);
    // The second request fills the page cache; the third is answered before routing.
    for (let times = 0; times < 3; times++) expect(await get(port, PATH, { authorization })).toBe(200);
    expect(await get(port, PATH, { "x-forwarded-for": "192.0.2.1" })).toBe(401);
    expect(await get(port, "/nowhere")).toBe(404);
    await sendRaw(port, ["RUBBISH\r\n\r\n"]);
  });
  const [begun, ...rest] = lines.filter(({ msg }) => !msg.startsWith("Server listening"));
  expect(begun?.msg).toMatch(/^Rolebook serves sqlite:\S+ at http:/);
  expect(rest.slice(-2).map(({ msg }) => msg)).toEqual([
    "Rolebook is stopping; it answers the accepted requests first",
    "Rolebook has stopped",
  ]);
  const route = "/v1/spaces/{spaceId}/permissions/users";
  const asked = rest.slice(0, -2).map(({ route, status, client }) => [route, status, client]);
  expect(asked).toEqual([
    [route, 200, undefined],
    [route, 200, undefined],
    [route, 200, undefined],
    [route, 401, "127.0.0.1"],
    ["none", 404, "127.0.0.1"],
    [undefined, 400, "127.0.0.1"],
  ]);
});

test("probes are logged at level debug", async () => {
  const lines = await logOf({ ROLEBOOK_LOG_LEVEL: "debug" }, async (port) => {
    await get(port, "/healthz");
  });
  expect(lines.filter(({ route }) => route !== undefined)).toMatchObject([{ route: "/healthz", level: 20 }]);
});

test("X-Forwarded-For is used only from trusted proxies: its last untrusted address", async () => {
  const told = async (trusted: string, forwarded: readonly string[]) => {
    const lines = await logOf({ ROLEBOOK_TRUSTED_PROXIES: trusted }, async (port) => {
      for (const each of forwarded) await get(port, PATH, { "x-forwarded-for": each });
    });
    return lines.filter(({ status }) => status === 401).map(({ client }) => client);
  };
  const forwarded = ["192.0.2.1", "6.6.6.6, 192.0.2.1, 10.1.2.3", "2001:db8::1", "rb_secret", "a, 10.1.2.3"];
  expect(await told("127.0.0.0/8,10.0.0.0/8", forwarded)).toEqual([
    "192.0.2.1",
    "192.0.2.1",
    "2001:db8::1",
    "127.0.0.1",
    "127.0.0.1",
  ]);
  expect(await told("10.0.0.0/8", ["192.0.2.1"])).toEqual(["127.0.0.1"]);
});

test("why a server does not start is logged at any level; an unknown setting causes a warning", async () => {
  const taken = await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = new URL(taken);
  // A server makes its description for whoever asks first; the program waits for it only a short time.
  await fetch(`${taken}/openapi.json`);
  for (const level of ["silent", "info"]) {
    const ran = await rolebook(["serve", "--port", port, "--database", world.url], {
      environment: { ROLEBOOK_LOG_LEVEL: level },
    });
    const last = linesOf(ran.stderr).at(-1);
    expect([ran.status, last?.level, last?.msg]).toEqual([
      1,
      60,
      `Rolebook runs already at ${taken}; stop that server, or choose another port (--port; ROLEBOOK_START_PORT for npm start).`,
    ]);
  }
  const lines = await logOf({ ROLEBOOK_COLOUR: "1" }, async () => {});
  expect(lines[0]).toMatchObject({
    level: 40,
    msg: expect.stringMatching(/^ROLEBOOK_COLOUR is not a setting/),
  });
});
