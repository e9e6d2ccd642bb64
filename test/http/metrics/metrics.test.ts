import { connect } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/operations/operations.ts";
import { acme } from "../../examples/acme.ts";
import { exampleRequest } from "../openapi/example-answers.ts";
import { sqlitePlace, World } from "../../world.ts";
import { samplesOf, valueOf } from "./exposition.ts";
import { statement } from "../../../src/store/engine/engine.ts";
import { runDirectly, writeDirectly } from "../../directly.ts";

const DURATION = "rolebook_http_request_duration_seconds";
const HOUR = 3_600_000;
const IMPORTED = statement<never>(() => "UPDATE revision SET imported_at = $1");

let world: World;
let token: string;
let port: number;
const began = performance.now();
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  token = await world.token("acme");
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  port = world.app.addresses()[0]?.port ?? 0;
});
afterAll(() => world.close());

async function scrape() {
  return samplesOf((await world.get("/metrics")).body);
}

test("is in Prometheus' format, not cached, and needs no token", async () => {
  const { status, headers, body } = await world.get("/metrics");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(headers["cache-control"]).toBe("no-store");
  const typed = new Set([...body.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  for (const { name } of samplesOf(body)) {
    expect(typed, name).toContain(name.startsWith(DURATION) ? DURATION : name);
  }
});

async function count(route: string, status: number): Promise<number> {
  const found = (await scrape()).find(
    ({ name, labels }) =>
      name === `${DURATION}_count` && labels.route === route && labels.status === String(status),
  );
  return found?.value ?? 0;
}

test("counts requests by route template and status", async () => {
  const route = "/v1/spaces/{spaceId}/permissions/users";
  const before = await count(route, 200);
  for (const space of ["api-reference", "glossary", "changelog"]) {
    await world.get(`/v1/spaces/${space}/permissions/users`, token);
  }
  await world.get("/v1/spaces/absent/permissions/users", token);
  await world.get("/v1/spaces/absent/permissions/users?colour=red", token);
  await world.get("/v1/nowhere/sofia", token);
  expect(await count(route, 200)).toBe(before + 3);
  expect(await count(route, 404)).toBe(1);
  expect(await count(route, 400)).toBe(1);
  expect(await count("none", 404)).toBe(1);
});

test("measures the whole time of answers", async () => {
  const samples = await scrape();
  const labels = { route: "/v1/spaces/{spaceId}/permissions/users", status: "200" };
  const sum = valueOf(samples, `${DURATION}_sum`, labels);
  expect(sum).toBeGreaterThan(0);
  // The requests came one after the other.
  expect(sum).toBeLessThan((performance.now() - began) / 1000);
  expect(valueOf(samples, `${DURATION}_bucket`, { ...labels, le: "+Inf" })).toBe(
    valueOf(samples, `${DURATION}_count`, labels),
  );
});

test("no label and no value contains an id, whatever was requested", async () => {
  for (const operation of OPERATIONS) await world.get(exampleRequest(operation), token);
  await world.get(`/v1/spaces/${token}/permissions/users`, token);
  await world.get(`/${token}`);
  const { body } = await world.get("/metrics");
  expect(body).not.toContain("rb_");
  for (const id of ["acme", "api-reference", "handbook", "ana", "acme-docs", "sofia"]) {
    expect(body).not.toMatch(new RegExp(`["/]${id}["/]`));
  }
  const keys = new Set(samplesOf(body).flatMap(({ labels }) => Object.keys(labels)));
  expect([...keys].sort()).toEqual(["le", "of", "route", "status", "version", "which"]);
});

test("has the page cache", async () => {
  const path = "/v1/spaces/release-notes/permissions/aggregate?limit=7";
  const before = await scrape();
  await world.get(path, token);
  const read = await scrape();
  await world.get(path, token);
  const kept = await scrape();
  const grown = (name: string) => [
    valueOf(read, name) - valueOf(before, name),
    valueOf(kept, name) - valueOf(read, name),
  ];
  expect(grown("rolebook_page_cache_misses_total")).toEqual([1, 0]);
  expect(grown("rolebook_page_cache_hits_total")).toEqual([0, 1]);
  const [bytes, more] = grown("rolebook_page_cache_bytes");
  expect(bytes).toBeGreaterThan(500);
  expect(more).toBe(0);
  expect(valueOf(kept, "rolebook_store_cache_bytes")).toBe(world.store.cache.bytes);
  expect(valueOf(kept, "rolebook_store_cache_evictions_total")).toBe(world.store.cache.evicted);
});

test("has the age of imports, without naming organizations", async () => {
  await writeDirectly(world.store.engine, IMPORTED, new Date(Date.now() - HOUR).toISOString());
  const first = await scrape();
  expect(valueOf(first, "rolebook_organizations")).toBe(1);
  expect(valueOf(first, "rolebook_import_age_max_seconds")).toBe(
    valueOf(first, "rolebook_import_age_min_seconds"),
  );
  expect(valueOf(first, "rolebook_import_age_min_seconds")).toBeGreaterThanOrEqual(HOUR / 1000);
  const before = Date.now();
  await world.import([{ object: "organization", id: "other", title: "Other" }]);
  const after = Date.now();
  const second = await scrape();
  const confirmed = (which: string) =>
    valueOf(second, "rolebook_import_confirmed_timestamp_seconds", { which });
  expect(confirmed("newest")).toBeGreaterThan(confirmed("oldest"));
  expect(confirmed("newest")).toBeGreaterThanOrEqual(before / 1000);
  expect(confirmed("newest")).toBeLessThanOrEqual(after / 1000);
  expect(valueOf(second, "rolebook_organizations")).toBe(2);
  expect(valueOf(second, "rolebook_import_age_max_seconds")).toBeGreaterThan(
    valueOf(second, "rolebook_import_age_min_seconds"),
  );
  expect(valueOf(second, "rolebook_database_up")).toBe(1);
});

test("measures a blocked event loop", async () => {
  const before = await scrape();
  const until = performance.now() + 250;
  while (performance.now() < until);
  await expect
    .poll(async () => valueOf(await scrape(), "rolebook_event_loop_lag_max_seconds"))
    .toBeGreaterThan(0.2);
  const active = "rolebook_event_loop_active_seconds_total";
  expect(valueOf(await scrape(), active) - valueOf(before, active)).toBeGreaterThan(0.2);
});

test("counts connections, and input that was not a request", async () => {
  const before = await scrape();
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const held = await scrape();
  const open = "rolebook_http_connections";
  expect(valueOf(held, open) - valueOf(before, open)).toBe(1);
  socket.resume();
  socket.write("this is no request\r\n\r\n");
  await once(socket, "close");
  const after = await scrape();
  const unreadable = "rolebook_http_unreadable_total";
  expect(valueOf(after, unreadable) - valueOf(before, unreadable)).toBe(1);
});

test("stays complete if the database does not answer, and without organizations", async () => {
  const broken = await World.open(sqlitePlace);
  try {
    const empty = samplesOf((await broken.get("/metrics")).body);
    expect(empty.map(({ name }) => name)).not.toContain("rolebook_import_age_max_seconds");
    expect(empty.map(({ name }) => name)).not.toContain("rolebook_import_confirmed_timestamp_seconds");
    expect(valueOf(empty, "rolebook_organizations")).toBe(0);
    await broken.import(acme);
    await broken.get("/metrics");
    await runDirectly(broken.store.engine, "ALTER TABLE revision RENAME TO elsewhere");
    const { status, body } = await broken.get("/metrics");
    expect(status).toBe(200);
    const samples = samplesOf(body);
    expect(valueOf(samples, "rolebook_database_up")).toBe(0);
    expect(valueOf(samples, "rolebook_organizations")).toBe(1);
    expect(valueOf(samples, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
  } finally {
    await broken.close();
  }
});
