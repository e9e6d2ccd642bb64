/** Every metric in docs/alerts.yml exists; the alert for imports fires and stays silent when it should. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { statement } from "../../src/store/engine/engine.ts";
import { createToken } from "../../src/store/tokens.ts";
import { acme, textOf } from "../examples/acme.ts";
import { samplesOf, valueOf } from "../http/metrics/exposition.ts";
import { ownPlace, World } from "../world.ts";
import { writeDirectly } from "../directly.ts";

const alerts = textOf("docs/alerts.yml");
const HOUR = 3_600_000;
const IMPORTED = statement<never>(() => "UPDATE revision SET imported_at = $1");
const CONFIRMED = statement<never>(() => "UPDATE organization SET confirmed_at = $1");

let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace);
  await world.import(acme);
});
afterAll(() => world.close());

const scrape = async () => samplesOf((await world.get("/metrics")).body);

test("alerts use only existing metrics, and each has a summary", async () => {
  // Some metrics appear only after the first request, or if a token expires soon.
  await createToken(world.store, { organization: "acme", name: "", lifetime: 30 * 24 * HOUR });
  await world.get("/healthz");
  const known = new Set((await scrape()).map(({ name }) => name));
  const expressions = alerts.match(/(?<=expr: ).*/g) ?? [];
  const named = expressions.flatMap((text) => text.match(/\b(?:rolebook|process)_\w+/g) ?? []);
  expect(named.length).toBeGreaterThanOrEqual(expressions.length);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(alerts.match(/- alert: /g)).toHaveLength(expressions.length);
  expect(alerts.match(/summary: /g)).toHaveLength(expressions.length);
});

test("imports that change nothing raise no alert, however old the directory is; missing imports do", async () => {
  const [, which = "", most = ""] =
    /expr: time\(\) - rolebook_import_confirmed_timestamp_seconds\{which="(\w+)"\} > (\d+)/.exec(alerts) ??
    [];
  const age = async () => {
    const samples = await scrape();
    const at = valueOf(samples, "rolebook_import_confirmed_timestamp_seconds", { which });
    return Date.now() / 1000 - (at ?? 0);
  };
  const imported = new Date(Date.now() - 60 * HOUR).toISOString();
  await writeDirectly(world.store.engine, IMPORTED, imported);
  await writeDirectly(world.store.engine, CONFIRMED, imported);
  expect(await age()).toBeGreaterThan(Number(most));
  const before = Date.now();
  expect((await world.import(acme)).changed).toBe(false);
  expect(valueOf(await scrape(), "rolebook_import_age_max_seconds")).toBeGreaterThan(Number(most));
  expect(await age()).toBeLessThanOrEqual((Date.now() - before) / 1000);

  const confirmed = new Date(Date.now() - 3 * HOUR).toISOString();
  await writeDirectly(world.store.engine, CONFIRMED, confirmed);
  expect(await age()).toBeGreaterThan(Number(most));
});
