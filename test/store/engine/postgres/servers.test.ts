import { beforeEach, expect, test } from "vitest";
import { statement } from "../../../../src/store/engine/engine.ts";
import { readConsistently } from "../../../../src/store/revisions/consistent-read.ts";
import { migrateDatabase, openEngine } from "../../../../src/store/engine/open.ts";
import { Store } from "../../../../src/store/store.ts";
import { createToken, hashOf } from "../../../../src/store/tokens.ts";
import { rolebookProcess } from "../../../command.ts";
import { type PostgresServer, startPostgres } from "../../../postgres/server/server.ts";
import { caughtUp, startStandby } from "../../../postgres/server/standby.ts";
import { YEARLY, yearly } from "../../../postgres/yearly.ts";
import { compareAll } from "../../listings/listings.ts";
import { World } from "../../../world.ts";

let primary: PostgresServer;
let standby: PostgresServer;

beforeEach(async () => {
  primary = await startPostgres();
  await migrateDatabase(primary.url());
  standby = await startStandby(primary);
  return async () => {
    await standby.close();
    await primary.close();
  };
});

const IN_RECOVERY = statement<[standby: number]>(() => "SELECT CAST(pg_is_in_recovery() AS int)");

/** A URL that names both servers. */
function both(parameters = "", order: readonly PostgresServer[] = [primary, standby]): string {
  const hosts = order.map(({ host, port }) => `${host}:${port}`).join(",");
  return primary.url().replace(`${primary.host}:${primary.port}`, hosts) + parameters;
}

function world(url: string, cacheBytes?: number): Promise<World> {
  const options = cacheBytes === undefined ? {} : { cacheBytes };
  return World.open(async () => ({ url, dispose: async () => {} }), options);
}

const PATH = "/v1/spaces/a/permissions/aggregate?limit=5";

test("the primary is killed under load: the standby answers correctly; promoted, it accepts imports", async () => {
  const serving = await world(both(), 0);
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
  /** The least number of right answers that a client has had since answer `first`. */
  const served = (first: number) => {
    const right = answers.slice(first).filter(({ status }) => status === 200);
    return Math.min(...paths.map((_, each) => right.filter(({ client }) => client === each).length));
  };
  await expect.poll(() => served(0)).toBeGreaterThan(10);
  await primary.kill9();
  const killed = answers.length;
  await expect.poll(() => served(killed)).toBeGreaterThan(10);
  load.abort();
  await Promise.all(clients);

  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers.filter(({ right }) => !right)).toEqual([]);
  for (const { status, retry } of refused) expect([status, retry]).toEqual([503, "1"]);
  expect(await serving.page(PATH, token)).toEqual(right);
  await compareAll(serving, yearly(1), [3]);

  await expect(serving.import(yearly(2))).rejects.toThrow(
    /is a primary, which accepts changes: .* is a standby/,
  );
  await standby.promote();
  await expect.poll(() => serving.import(yearly(2)).then(() => "imported")).toBe("imported");
  await compareAll(serving, yearly(2), [3]);
  await serving.close();
});

test("reads prefer the standby if requested, and never while it lags behind", async () => {
  const serving = await world(both("?target_session_attrs=prefer-standby"));
  await serving.import(yearly(1));
  const token = await serving.token(YEARLY);
  await caughtUp(standby, primary);
  await expect.poll(() => serving.store.engine.read(IN_RECOVERY)).toEqual([[1]]);
  await compareAll(serving, yearly(1), [3]);

  await standby.query("SELECT pg_wal_replay_pause()");
  await serving.import(yearly(2));
  await compareAll(serving, yearly(2), [3]);
  await serving.import(yearly(3));
  // The standby has only the first revision, as the current one, so it does not serve the past either.
  const asOf = (revision: number) => compareAll(serving, yearly(revision), [3], 1, () => String(revision));
  const titleIn = (revision: number) =>
    readConsistently(serving.store, YEARLY, async ({ title }) => title, {
      spelt: String(revision),
      when: { kind: "revision", revision },
    });
  expect((await serving.store.registry.organization(YEARLY))?.current.revision).toBe(3);
  for (const revision of [1, 2, 3]) {
    await asOf(revision);
    expect(await titleIn(revision)).toBe(`Year ${revision}`);
  }
  // A token or session that the standby has not heard of is asked of the primary, once.
  const late = await serving.token(YEARLY);
  expect((await serving.get(PATH, late)).status).toBe(200);
  const { registry } = serving.store;
  const [known, again] = [await registry.token(hashOf(late)), await registry.token(hashOf(late))];
  expect(known).toBeDefined();
  expect(again).toBe(known);
  await standby.query("SELECT pg_wal_replay_resume()");
  await caughtUp(standby, primary);
  await compareAll(serving, yearly(3), [3]);
  for (const revision of [1, 2]) await asOf(revision);
  expect((await serving.get(PATH, token)).status).toBe(200);
  await serving.close();
});

test("revisions lost by a failover are not cached: a reused revision number shows its new content", async () => {
  const serving = await world(both());
  await serving.import(yearly(1));
  const token = await serving.token(YEARLY);
  await caughtUp(standby, primary);
  // The standby no longer receives changes.
  await standby.query("ALTER SYSTEM SET primary_conninfo = ''");
  await standby.query("SELECT pg_reload_conf()");
  await expect.poll(() => primary.query("SELECT FROM pg_stat_replication")).toEqual([]);
  await serving.import(yearly(2));
  await compareAll(serving, yearly(2), [3]);
  await primary.kill9();
  await expect.poll(async () => (await serving.get(PATH, token)).headers["x-rolebook-revision"]).toBe("1");
  await compareAll(serving, yearly(1), [3]);
  await standby.promote();
  await expect.poll(() => serving.import(yearly(3)).then(() => "imported")).toBe("imported");
  expect((await serving.get(PATH, token)).headers["x-rolebook-revision"]).toBe("2");
  await compareAll(serving, yearly(3), [3]);
  await serving.close();
});

test("a standby alone serves; commands that change something report the missing primary in one line", async () => {
  const first = await world(primary.url());
  await first.import(yearly(1));
  const token = await createToken(first.store, { organization: YEARLY, name: "" });
  await caughtUp(standby, primary);
  await first.close();
  const engine = await openEngine(standby.url());
  const serving = new World({ url: "", dispose: async () => {} }, new Store(engine), {});
  expect((await serving.page(PATH, token)).items).toHaveLength(5);
  await serving.close();

  const environment = { ROLEBOOK_DATABASE_URL: standby.url() };
  for (const command of [
    ["import", "-"],
    ["token", "create", "--organization", YEARLY],
    ["organization", "remove", YEARLY, "--yes"],
  ]) {
    const { status, stdout, stderr } = await rolebookProcess(command, environment);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `No server of postgres://127.0.0.1:${standby.port}/postgres is a primary, which accepts changes: ` +
        `127.0.0.1:${standby.port} is a standby.\n`,
    );
  }
  await expect(openEngine(`${standby.url()}?target_session_attrs=primary`)).rejects.toThrow("can be read");
  // Commands write to the primary, whatever the setting for reads. Only reads are refused.
  const strict = await openEngine(`${primary.url()}?target_session_attrs=standby`);
  await expect(strict.read(statement<[one: number]>(() => "SELECT 1"))).rejects.toMatchObject({
    code: "unavailable",
    headers: { "retry-after": "1" },
  });
  await strict.close();
});
