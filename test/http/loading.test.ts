/** What a server answers while it loads organizations. */
import type { FastifyInstance } from "fastify";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { buildApp } from "../../src/http/app.ts";
import { Load } from "../../src/http/load.ts";
import type { Engine } from "../../src/store/engine/engine.ts";
import { sizeOf } from "../../src/store/model-memory.ts";
import { modelOf, Models } from "../../src/store/models.ts";
import { Store } from "../../src/store/store.ts";
import { loadUsedLast } from "../../src/store/used-last.ts";
import { Waiting } from "../../src/store/waiting.ts";
import { runDirectly } from "../directly.ts";
import { acme } from "../examples/acme.ts";
import { Line } from "../hostile/ask.ts";
import { YEARLY, yearly } from "../postgres/yearly.ts";
import { replaced } from "../store/engine/statements/replaced.ts";
import { serviceOf, sqlitePlace, World } from "../world.ts";

let world: World;
beforeEach(async () => {
  world = await World.open(sqlitePlace);
  onTestFinished(() => world.close());
  await world.import(acme);
  await world.import(yearly(1));
});

/** An engine on which no organization is loaded before `end`. */
function slow(engine: Engine): { readonly engine: Engine; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const read: Engine["read"] = async (wanted, ...parameters) => {
    if (wanted.sql(engine.dialect).includes("FROM content_row r")) await promise;
    return engine.read(wanted, ...parameters);
  };
  return { engine: replaced(engine, { read }), end: resolve };
}

/** An answer that needs the model of Acme. */
const ON_ACME = "/explorer/why?space=api-reference&user=ana";

async function ask(app: FastifyInstance, token: string) {
  const { statusCode, headers, body } = await app.inject({
    url: ON_ACME,
    headers: { authorization: `Bearer ${token}` },
  });
  return { statusCode, retry: headers["retry-after"], body };
}

test("requests wait for an organization, hold nothing meanwhile, and are refused when they have waited too long", async () => {
  const { engine, end } = slow(world.store.engine);
  const late: (() => void)[] = [];
  const waiting = new Waiting((milliseconds, callBack) => {
    expect(milliseconds).toBe(10_000);
    late.push(callBack);
    return { cancel: () => {} };
  });
  const load = new Load();
  const store = new Store(engine, undefined, new Models({ waiting }));
  const app = buildApp(serviceOf(store, { load }), false);
  onTestFinished(() => app.close());
  const token = await world.token("acme");
  const waits = Array.from({ length: 200 }, () => ask(app, token));
  await expect.poll(() => waiting.count).toBe(200);
  expect([load.total("working"), load.total("asked")]).toEqual([0, 0]);
  const refused = {
    statusCode: 503,
    retry: "1",
    body: expect.stringContaining("The organization is being loaded; try again."),
  };
  expect(await ask(app, token)).toEqual(refused);
  expect((await app.inject("/readyz")).statusCode).toBe(200);
  late[0]?.();
  // Requests need not begin to wait in the order in which they were sent.
  expect(await Promise.race(waits)).toEqual(refused);
  end();
  const answers = await Promise.all(waits);
  const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
  expect([count(200), count(503)]).toEqual([199, 1]);
  expect(store.models.loads).toBe(1);
  await expect
    .poll(() => [waiting.count, load.total("working"), load.total("asked"), load.open])
    .toEqual([0, 0, 0, 0]);
});

test("a connection stays as long as its request waits", async () => {
  const { engine, end } = slow(world.store.engine);
  const app = buildApp(serviceOf(new Store(engine)), false);
  onTestFinished(() => app.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
  const isSilent = Promise.withResolvers<void>();
  app.server.on("request", ({ socket }) => {
    socket.setTimeout(1);
    socket.once("timeout", () => isSilent.resolve());
  });
  const line = new Line(app.addresses()[0]?.port ?? 0);
  onTestFinished(() => line.close());
  const authorization = `Bearer ${await world.token("acme")}`;
  const answer = line.ask({ method: "GET", target: ON_ACME, headers: { authorization } });
  await Promise.race([answer, isSilent.promise]);
  end();
  expect((await answer).status).toBe(200);
});

test("/readyz is 503 while the organizations used last are loaded", async () => {
  const service = serviceOf(world.store, { loading: true });
  const app = buildApp(service, false);
  onTestFinished(() => app.close());
  const { statusCode, headers, body } = await app.inject("/readyz");
  expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
  expect(body).toContain("The server is loading the organizations used last.");
  service.loading = false;
  expect((await app.inject("/readyz")).statusCode).toBe(200);
});

test("the organizations used last are loaded first, as long as there is room", async () => {
  const { engine } = world.store;
  const loaded = async (bytes: number) => {
    const store = new Store(engine, undefined, new Models({ bytes }));
    const warnings: string[] = [];
    await loadUsedLast(store, (message) => warnings.push(message));
    expect(warnings).toEqual([]);
    const { loads } = store.models;
    const known = await Promise.all(
      ["acme", YEARLY].map(async (id) => {
        const before = store.models.loads;
        const organization = await store.registry.organization(id);
        if (organization !== undefined) await store.models.of(store.reading(organization.current));
        return store.models.loads === before;
      }),
    );
    return { loads, known };
  };
  expect(await loaded(1e9)).toEqual({ loads: 0, known: [false, false] });
  await world.token("acme");
  expect(await loaded(1e9)).toEqual({ loads: 1, known: [true, false] });
  await world.token(YEARLY);
  expect(await loaded(1e9)).toEqual({ loads: 2, known: [true, true] });
  expect((await loaded(1.2 * (await sizeOfCurrent(YEARLY)))).known).toEqual([false, true]);
  await runDirectly(
    engine,
    "UPDATE token SET last_used_at = '2999-01-01T00:00:00.000Z' WHERE organization = 'acme'",
  );
  expect((await loaded(1.2 * (await sizeOfCurrent("acme")))).known).toEqual([true, false]);
});

test("an organization used last is loaded however long it takes", async () => {
  await world.token("acme");
  const waiting = new Waiting((_, callBack) => {
    callBack();
    return { cancel: () => {} };
  });
  const store = new Store(world.store.engine, undefined, new Models({ waiting }));
  const warnings: string[] = [];
  await loadUsedLast(store, (message) => warnings.push(message));
  expect([warnings, store.models.loads]).toEqual([[], 1]);
});

async function sizeOfCurrent(id: string): Promise<number> {
  const organization = await world.store.registry.organization(id);
  if (organization === undefined) throw new Error(`There is no organization ${id}.`);
  return sizeOf(await modelOf(world.store.reading(organization.current)));
}

test("an organization that cannot be loaded holds up no other", async () => {
  const { engine } = world.store;
  const token = await world.token("acme");
  await world.token(YEARLY);
  await runDirectly(
    engine,
    "UPDATE member_row SET role = 6 WHERE generation = (SELECT min(generation) FROM generation)",
  );
  const store = new Store(engine);
  const warnings: string[] = [];
  await loadUsedLast(store, (message) => warnings.push(message));
  expect(store.models.count).toBe(1);
  expect(warnings).toEqual([expect.stringMatching(/^Organization acme could not be loaded at the start: /)]);
  const { statusCode, body } = await ask(buildApp(serviceOf(store), false), token);
  expect([statusCode, JSON.parse(body)]).toEqual([
    503,
    { error: { code: 503, message: "The database does not answer now; try again." } },
  ]);
});
