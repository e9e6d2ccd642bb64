import { expect, test } from "vitest";
import { ApiError } from "../../../../src/domain/error.ts";
import { type Reader, statement } from "../../../../src/store/engine/engine.ts";
import { migrateDatabase, openEngine } from "../../../../src/store/engine/open.ts";
import { rolebook } from "../../../command.ts";
import { startProxy } from "../../../postgres/network/proxy.ts";
import { startPostgres } from "../../../postgres/server/server.ts";
import { usePostgres } from "../../../postgres/use.ts";
import { YEARLY, yearly } from "../../../postgres/yearly.ts";
import { World } from "../../../world.ts";
import { compareAll } from "../../listings/listings.ts";

const PATH = "/v1/spaces/a/permissions/aggregate";

/** Ends no earlier than the test. */
const FOREVER = statement<[one: number]>(() => "SELECT 1 FROM pg_sleep(86400)");

const postgres = usePostgres();

async function serving(parameters = ""): Promise<{ world: World; token: string }> {
  const world = await World.open(
    async () => {
      const place = await postgres.places.open();
      return { url: `${place.url}${parameters}`, dispose: async () => {} };
    },
    { cacheBytes: 0 },
  );
  await world.import(yearly(1));
  return { world, token: await world.token(YEARLY) };
}

test("a wrong password is reported in one line, without any password", async () => {
  const wrong = postgres.server.url("postgres", { user: "postgres", password: "sesame-was-it" });
  const { status, stdout, stderr } = await rolebook(["serve", "--port", "0", "--database", wrong]);
  expect([status, stdout]).toEqual([1, ""]);
  const line: unknown = JSON.parse(stderr);
  expect(line).toMatchObject({
    msg:
      `The database postgres://127.0.0.1:${postgres.server.port}/postgres cannot be opened: ` +
      'password authentication failed for user "postgres".',
  });
  expect(stderr).not.toContain("sesame");
});

test("a missing database, and one without tables, are reported in one line", async () => {
  await expect(openEngine(postgres.server.url("nowhere"))).rejects.toThrow(
    'database "nowhere" does not exist',
  );
  const empty = await postgres.server.createDatabase("empty");
  await expect(openEngine(empty)).rejects.toThrow(/has schema 0; .* Run: rolebook database migrate/);
});

test("a server that accepts and never answers: a 503, and pages again when it continues", async () => {
  const { world, token } = await serving("&connect_timeout=5");
  expect((await world.get(PATH, token)).status).toBe(200);
  postgres.server.pause();
  try {
    // What was read last holds for some milliseconds.
    await expect.poll(async () => (await world.get(PATH, token)).status).toBe(503);
    const { status, headers } = await world.get(PATH, token);
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    await expect(openEngine(`${postgres.server.url()}?connect_timeout=1`)).rejects.toThrow(
      /cannot be opened: .*timeout/,
    );
  } finally {
    postgres.server.resume();
  }
  await expect.poll(async () => (await world.get(PATH, token)).status).toBe(200);
  await compareAll(world, yearly(1), [5]);
  await world.close();
});

test("the database goes away and comes back: 503 meanwhile, without a restart", async () => {
  const { world, token } = await serving();
  await postgres.server.kill9();
  const refused = await world.get(PATH, token);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
  expect(refused.body).not.toMatch(/postgres|127\.0\.0\.1|ECONN/);
  expect((await world.get("/readyz")).status).toBe(503);
  expect((await world.get("/healthz")).status).toBe(200);
  await postgres.server.start();
  await expect.poll(async () => (await world.get(PATH, token)).status).toBe(200);
  await compareAll(world, yearly(1), [5]);
  await world.import(yearly(2));
  await compareAll(world, yearly(2), [5]);
  await world.close();
});

test("an unavailable database is asked once for all requests that arrive together, and not on its own", async () => {
  const own = await startPostgres();
  await migrateDatabase(own.url());
  await using proxy = await startProxy(own.port);
  const notes: string[] = [];
  const engine = await openEngine(own.url().replace(`:${own.port}/`, `:${proxy.port}/`), (note) =>
    notes.push(note),
  );
  const running = Promise.allSettled(Array.from({ length: 5 }, () => engine.read(FOREVER)));
  await expect
    .poll(() => own.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
    .toHaveLength(5);
  await own.kill9();
  expect((await running).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
  const before = proxy.connections();
  const asked = await Promise.allSettled(Array.from({ length: 100 }, async () => engine.version()));
  expect(asked.filter(({ status }) => status === "fulfilled")).toEqual([]);
  // One question that was under way, and the next: each is tried with TLS and without.
  expect(proxy.connections() - before).toBeLessThanOrEqual(4);
  await own.start();
  await expect
    .poll(() => engine.read(statement<[one: number]>(() => "SELECT 1")).catch(() => "away"))
    .toEqual([[1]]);
  const name = `postgres://127.0.0.1:${proxy.port}/postgres`;
  expect(notes).toEqual([
    expect.stringMatching(`^${name} does not answer: .+[.]$`),
    `${name} was restarted, or another server has taken over; everything is read again.`,
    `${name} answers again.`,
  ]);
  await engine.close();
  await own.close();
});

test("no more connections than the pool's size and the one that asks for changes; a slow statement ends as a 503", async () => {
  const sessions = async () =>
    (await postgres.server.query("SELECT FROM pg_stat_activity WHERE application_name LIKE 'counted%'"))
      .length;
  const { world, token } = await serving("&pool_size=2&application_name=counted");
  const most: number[] = [];
  const load = Promise.all(Array.from({ length: 60 }, () => world.get(PATH, token)));
  for (let look = 0; look < 5; look++) most.push(await sessions());
  expect((await load).map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
  expect(Math.max(...most)).toBeLessThanOrEqual(3);
  const limited = await openEngine(`${world.url}&statement_timeout=300`);
  await expect(limited.read(FOREVER)).rejects.toMatchObject({ code: "unavailable" });
  await limited.close();
  await world.close();
});

test("in a consistent read, a lost connection is a 503, and the caller's own errors pass unchanged", async () => {
  const { world } = await serving();
  const { engine } = world.store;
  const one = statement<[one: number]>(() => "SELECT 1");
  for (const thrown of [new ApiError("notFound", "gone"), new Error("ours"), "a text"]) {
    const failing = async () => {
      await using _ = await engine.view();
      throw thrown;
    };
    await expect(failing()).rejects.toBe(thrown);
  }
  const ask = [
    (reader: Reader) => reader.read(one),
    async (reader: Reader) => {
      for await (const row of reader.stream(one)) return [row];
      return [];
    },
  ];
  for (const read of ask) {
    const losing = async () => {
      await using reader = await engine.view();
      await postgres.server.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rolebook read'",
      );
      return await read(reader);
    };
    await expect(losing()).rejects.toMatchObject({ code: "unavailable" });
  }
  await world.close();
});

test("serving needs only a read-only role; what that role may not do is reported in one line", async () => {
  const place = await postgres.places.open();
  const schema = /search_path%3D(\w+)/.exec(place.url)?.[1] ?? "";
  const owner = await World.open(async () => ({ ...place, dispose: async () => {} }));
  await owner.import(yearly(1));
  const token = await owner.token(YEARLY);
  await postgres.server.query(`
    CREATE ROLE reader LOGIN PASSWORD 'only looks';
    ALTER ROLE reader SET default_transaction_read_only = on;
    GRANT USAGE ON SCHEMA ${schema} TO reader;
    GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader`);
  const asReader = `${postgres.server.url("postgres", { user: "reader", password: "only looks" })}${new URL(place.url).search}`;
  const reading = await World.open(async () => ({ url: asReader, dispose: async () => {} }));
  const right = await owner.walk(PATH, token, [5]);
  expect(await reading.walk(PATH, token, [5])).toEqual(right);
  expect((await reading.get("/readyz")).status).toBe(200);
  await owner.import(yearly(2));
  expect(await reading.walk(PATH, token, [5])).toEqual(await owner.walk(PATH, token, [5]));
  const { status, stdout, stderr } = await rolebook(["token", "create", "--organization", YEARLY], {
    ROLEBOOK_DATABASE_URL: asReader,
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^The database could not do that: cannot execute \w+ in a read-only transaction\.\n$/,
  );
  await reading.close();
  await owner.close();
});
