/** A worker that accepts connections but does not answer, with a hundred organizations on it and a hundred elsewhere. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { importFiles } from "../../src/snapshot/import.ts";
import { Line } from "../hostile/ask.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { until } from "../setup/until.ts";
import { World } from "../world.ts";
import { citusPlaces, nodesOfCluster, query } from "./cluster.ts";
import { portsOf } from "./organizations.ts";

const ORGANIZATIONS = 200;
/** The time limit of a statement, in milliseconds, and how long the worker does not answer. */
const TIME_LIMIT = 3000;
const HUNG = 20_000;
const POOL = 8;
/** The time between two pages of one reader, in milliseconds. */
const EVERY = 10_000;
/** The watching session, and the connections of the pool and those set aside, which are as many at most. */
const MOST_CONNECTIONS = 1 + POOL + POOL;

test("organizations on other workers are served, and blocked connections do not accumulate", async () => {
  const place = await citusPlaces.open();
  const url = `${place.url}&statement_timeout=${TIME_LIMIT}&pool_size=${POOL}`;
  const world = await World.open(async () => ({ ...place, url }), { cacheBytes: 0 });
  const ids = Array.from({ length: ORGANIZATIONS }, (_, index) => `o${index}`);
  await importFiles(world.store.engine, [world.file(toLines(ids.flatMap(smallOrganization)))]);
  const [, worker] = await nodesOfCluster();
  if (worker === undefined) throw new Error("There is no worker.");
  const tokens = new Map<string, string>();
  for (const id of ids) tokens.set(id, await world.token(id));
  const generations = await Promise.all(
    ids.map(async (id) => (await world.store.registry.organization(id))?.current.generation ?? 0),
  );
  const ports = await portsOf(world, generations);
  await world.get("/healthz");
  const line = new Line(world.app.addresses()[0]?.port ?? 0, ORGANIZATIONS);
  const times: Record<"hung" | "healthy", number[]> = { hung: [], healthy: [] };
  const statuses = { hung: new Set<number>(), healthy: new Set<number>() };
  const ending = new AbortController();
  let hungSince = Infinity;
  const answeredOnce = new Set<string>();
  const readers = ids.map(async (id, index) => {
    const on = ports[index] === worker.port ? "hung" : "healthy";
    await sleep((EVERY * index) / ORGANIZATIONS);
    while (!ending.signal.aborted) {
      const headers = { authorization: `Bearer ${tokens.get(id)}` };
      const since = performance.now();
      const { status, headers: answered } = await line.ask({ method: "GET", target: pageOf(id), headers });
      answeredOnce.add(id);
      if (since >= hungSince) {
        times[on].push(performance.now() - since);
        statuses[on].add(status);
        if (status === 503) expect(answered["retry-after"]).toBe("1");
      }
      await sleep(EVERY);
    }
  });
  // The program asks where an organization lies when it reads rows of the organization for the first time.
  await until("every reader is answered", () => answeredOnce.size === ORGANIZATIONS);
  let most = 0;
  worker.halt();
  hungSince = performance.now();
  try {
    for (const end = performance.now() + HUNG; performance.now() < end; await sleep(250)) {
      const [row] = await query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'rolebook%'",
      );
      most = Math.max(most, row?.count ?? 0);
    }
  } finally {
    hungSince = Infinity;
    worker.resume();
  }
  for (const [index, id] of ids.entries()) {
    if (ports[index] !== worker.port) continue;
    await expect.poll(async () => (await world.get(pageOf(id), tokens.get(id))).status).toBe(200);
  }
  ending.abort();
  await Promise.all(readers);
  const healthy = times.healthy.toSorted((a, b) => a - b).map(Math.round);
  const [median = Infinity, slowest = Infinity] = [healthy[healthy.length >> 1], healthy.at(-1)];
  console.info(
    `${ports.filter((port) => port === worker.port).length} of ${ORGANIZATIONS} organizations hung: ` +
      `${times.hung.length} answers; others ${healthy.length}, half of them within ${median} ms, the slowest ${slowest} ms; ` +
      `${most} connections`,
  );
  expect([...statuses.healthy]).toEqual([200]);
  expect([...statuses.hung]).toContain(503);
  expect(median).toBeLessThan(1000);
  // None waits until a statement of the other worker reaches its time limit.
  expect(slowest).toBeLessThan(TIME_LIMIT);
  expect(most).toBeLessThanOrEqual(MOST_CONNECTIONS);
  line.close();
  await world.close();
});

const pageOf = (id: string) => `/v1/orgs/${id}/members/ana/spaces`;

function smallOrganization(id: string): SnapshotRecord[] {
  return [
    { object: "organization", id, title: id },
    { object: "user", id: "ana", displayName: "Ana" },
    { object: "member", organization: id, user: "ana", role: "admin" },
  ];
}
