import { beforeEach, expect, test } from "vitest";
import { statement } from "../../../../src/store/engine/engine.ts";
import { readConsistently } from "../../../../src/store/revisions/consistent-read.ts";
import { migrateDatabase, openEngine } from "../../../../src/store/engine/open.ts";
import { Store } from "../../../../src/store/store.ts";
import { createToken } from "../../../../src/store/tokens.ts";
import { rolebookProcess } from "../../../command.ts";
import { type Proxy, startProxy } from "../../../postgres/network/proxy.ts";
import { type PostgresServer, startPostgres } from "../../../postgres/server/server.ts";
import { caughtUp, startStandby } from "../../../postgres/server/standby.ts";
import { YEARLY, yearly } from "../../../postgres/yearly.ts";
import { compareAll } from "../../listings/listings.ts";
import { World } from "../../../world.ts";

/** One address, at which a proxy leads to a primary and, after a failover, to what was its standby. */

let primary: PostgresServer;
let standby: PostgresServer;
let proxy: Proxy;

beforeEach(async () => {
  primary = await startPostgres();
  await migrateDatabase(primary.url());
  standby = await startStandby(primary);
  proxy = await startProxy(primary.port);
  return async () => {
    await proxy.close();
    await standby.close();
    await primary.close();
  };
});

function world(url: string, cacheBytes?: number): Promise<World> {
  const options = cacheBytes === undefined ? {} : { cacheBytes };
  return World.open(async () => ({ url, dispose: async () => {} }), options);
}

function throughProxy(): string {
  return primary.url().replace(`:${primary.port}/`, `:${proxy.port}/`);
}

/** From here on, the standby lacks what the primary commits. */
async function stopReplicating(): Promise<void> {
  await standby.query("ALTER SYSTEM SET primary_conninfo = ''");
  await standby.query("SELECT pg_reload_conf()");
  await expect.poll(() => primary.query("SELECT FROM pg_stat_replication")).toEqual([]);
}

/** Imports at a server's own address, as a command does that runs after the failover. */
async function importAt(server: PostgresServer, year: number): Promise<void> {
  const command = await world(server.url());
  await command.import(yearly(year));
  await command.close();
}

/** An advisory lock of the primary, and a statement that waits for it. */
const LOCK = 4711;
const WAITING = statement<[one: number]>(
  () => `SELECT 1 FROM (SELECT pg_advisory_xact_lock_shared(${LOCK})) locked`,
);

async function holdLock(server: PostgresServer) {
  const client = await server.connect();
  await client.query(`SELECT pg_advisory_lock(${LOCK})`);
  return {
    waiting: async () =>
      (await server.query("SELECT FROM pg_stat_activity WHERE wait_event = 'advisory'")).length,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

const PATH = "/v1/spaces/a/permissions/aggregate?limit=5";

test("the primary is killed under load: refused until another takes over, then right, without a restart", async () => {
  const serving = await world(throughProxy(), 0);
  await serving.import(yearly(1));
  const token = await serving.token(YEARLY);
  await caughtUp(standby, primary);
  const right = await serving.page(PATH, token);

  // Each client requests another limit and nothing is cached, so every page is read from the database.
  const paths = [5, 6, 7, 8].map((limit) => `/v1/spaces/a/permissions/aggregate?limit=${limit}&role=comment`);
  const bodies = await Promise.all(paths.map(async (path) => (await serving.get(path, token)).body));
  const answers: { client: number; status: number; retry: unknown; right: boolean }[] = [];
  const load = new AbortController();
  const clients = paths.map(async (path, client) => {
    while (!load.signal.aborted) {
      const { status, headers, body } = await serving.get(path, token);
      const right = status !== 200 || body === bodies[client];
      answers.push({ client, status, retry: headers["retry-after"], right });
    }
  });
  /** The least number of answers with a status that a client has had since answer `first`. */
  const answered = (expected: number, first = 0) => {
    const found = answers.slice(first).filter(({ status }) => status === expected);
    return Math.min(...paths.map((_, each) => found.filter(({ client }) => client === each).length));
  };
  await expect.poll(() => answered(200)).toBeGreaterThan(10);
  await primary.kill9();
  await expect.poll(() => answered(503)).toBeGreaterThan(1);
  await standby.promote();
  const promoted = answers.length;
  proxy.lead(standby.port);
  await expect.poll(() => answered(200, promoted)).toBeGreaterThan(10);
  load.abort();
  await Promise.all(clients);

  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers.filter(({ right }) => !right)).toEqual([]);
  for (const { status, retry } of refused) expect([status, retry]).toEqual([503, "1"]);
  expect(await serving.page(PATH, token)).toEqual(right);
  await compareAll(serving, yearly(1), [3]);
  await serving.import(yearly(2));
  await compareAll(serving, yearly(2), [3]);
  await serving.close();
});

/** A world over the proxy whose second revision only the primary has. */
async function aheadOfStandby() {
  const serving = await world(throughProxy());
  await serving.import(yearly(1));
  const token = await serving.token(YEARLY);
  await caughtUp(standby, primary);
  await stopReplicating();
  await serving.import(yearly(2));
  await compareAll(serving, yearly(2), [3]);
  return { serving, token };
}

test("a lost revision is not taken for the new one with its number", async () => {
  const { serving, token } = await aheadOfStandby();
  const { body } = await serving.get(PATH, token);
  await primary.kill9();
  await standby.promote();
  await importAt(standby, 3);
  proxy.lead(standby.port);
  // The first answer is that of the new revision, whatever is known of the lost one.
  let found = await serving.get(PATH, token);
  while (found.status === 503) found = await serving.get(PATH, token);
  expect([found.status, found.headers["x-rolebook-revision"]]).toEqual([200, "2"]);
  expect(found.body).not.toBe(body);
  await compareAll(serving, yearly(3), [3]);
  await serving.close();
});

test("… also while the old primary answers over its connections: one new connection ends them all", async () => {
  const { serving, token } = await aheadOfStandby();
  await standby.promote();
  await importAt(standby, 3);
  const before = await serving.store.engine.view();
  const { history } = serving.store.engine;
  proxy.lead(standby.port);
  // A command of this process opens a session of its own, which reaches the new server.
  const title = () => readConsistently(serving.store, YEARLY, async (at) => at.title);
  await expect.poll(() => title().catch(() => "away")).toBe("Year 3");
  expect(serving.store.engine.history).not.toBe(history);
  expect(before.history).toBe(history);
  expect((await serving.get(PATH, token)).headers["x-rolebook-revision"]).toBe("2");
  await compareAll(serving, yearly(3), [3]);
  // What began before still reads the old primary, which is cut off: a new connection would not reach it.
  await before[Symbol.asyncDispose]();
  const old = "SELECT FROM pg_stat_activity WHERE application_name LIKE 'rolebook%'";
  await expect.poll(() => primary.query(old)).toEqual([]);
  await serving.close();
});

test("a read that began before is refused, and not answered by the server that takes over", async () => {
  await caughtUp(standby, primary);
  const engine = await openEngine(throughProxy());
  await using holding = await holdLock(primary);
  const read = engine.read(WAITING).catch((error: unknown) => error);
  await expect.poll(() => holding.waiting()).toBe(1);
  await standby.promote();
  proxy.lead(standby.port);
  await primary.kill9();
  expect(await read).toMatchObject({ code: "unavailable", headers: { "retry-after": "1" } });
  // The next read is answered.
  expect(await engine.read(WAITING)).toEqual([[1]]);
  await engine.close();
});

test("a standby alone serves; commands that change something say in one line that it is read-only", async () => {
  const first = await world(primary.url());
  await first.import(yearly(1));
  const token = await createToken(first.store, { organization: YEARLY, name: "" });
  await caughtUp(standby, primary);
  await first.close();
  const engine = await openEngine(standby.url());
  const serving = new World({ url: "", dispose: async () => {} }, new Store(engine), {});
  expect((await serving.page(PATH, token)).items).toHaveLength(5);

  const environment = { ROLEBOOK_DATABASE_URL: standby.url() };
  for (const command of [
    ["import", serving.file('{"object":"organization","id":"o","title":"O"}\n')],
    ["token", "create", "--organization", YEARLY],
    ["organization", "remove", YEARLY, "--yes"],
  ]) {
    const { status, stdout, stderr } = await rolebookProcess(command, environment);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^The database could not do that: cannot execute [A-Z ]+ in a read-only transaction\.\n$/,
    );
  }
  await serving.close();
});
