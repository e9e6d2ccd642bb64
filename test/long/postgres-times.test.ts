/** How long requests wait while PostgreSQL changes, hangs, or fails over to a standby: on a quiet machine. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { migrateDatabase } from "../../src/store/engine/open.ts";
import { startPrograms } from "../postgres/network/programs.ts";
import { startProxy } from "../postgres/network/proxy.ts";
import { startPostgres } from "../postgres/server/server.ts";
import { caughtUp, startStandby } from "../postgres/server/standby.ts";
import { usePostgres } from "../postgres/use.ts";
import { YEARLY, yearly } from "../postgres/yearly.ts";
import { World } from "../world.ts";

const PATH = "/v1/spaces/a/permissions/aggregate";
/** The longest time until a change is visible, or until another server answers, in milliseconds. */
const SOON = 1_000;
/** The same over a connection that is silently dead: it is given up after a second. */
const DEAD = 1_000 + SOON;

const postgres = usePostgres();

test.each(["asked for", "its session ended", "its connection held"])(
  "a change is visible within a second after its commit: %s",
  async (how) => {
    await using both = await startPrograms(() => postgres.places.open(), postgres.server.port);
    await both.command.import(yearly(1));
    const waited: number[] = [];
    for (let round = 0; round < 4; round++) {
      const { token, revoke } = await both.token(YEARLY);
      expect((await both.serving.get(PATH, token)).status).toBe(200);
      if (how.includes("ended")) await both.endAsking();
      if (how.includes("held") && round === 0) await both.holdAsking();
      // Revoking waits until no program trusts the token any more. The test checks meanwhile.
      const revoked = revoke();
      const named = () => both.outside.query("SELECT FROM token WHERE name = $1", [`token ${round}`]);
      while ((await named()).rowCount === 1) await sleep(1);
      const committed = performance.now();
      while ((await both.serving.get(PATH, token)).status !== 401) await sleep(1);
      waited.push(performance.now() - committed);
      await revoked;
    }
    const longest = Math.max(...waited);
    console.info(`${how}: seen at the latest ${longest.toFixed(0)} ms after it was committed`);
    expect(longest).toBeLessThan(how.includes("held") ? DEAD : SOON);
  },
);

test("a server that accepts and never answers: a 503 after seconds, then at once", async () => {
  const place = await postgres.places.open();
  const world = await World.open(async () => ({ ...place, url: `${place.url}&connect_timeout=5` }), {
    cacheBytes: 0,
  });
  await world.import(yearly(1));
  const token = await world.token(YEARLY);
  expect((await world.get(PATH, token)).status).toBe(200);
  const refused = async () => {
    const began = performance.now();
    expect((await world.get(PATH, token)).status).toBe(503);
    return performance.now() - began;
  };
  postgres.server.pause();
  try {
    // A second until it asks, one for the session that is there, and connect_timeout for a new one.
    expect(await refused()).toBeLessThan(8_000);
    expect(await refused()).toBeLessThan(500);
  } finally {
    postgres.server.resume();
  }
  await world.close();
});

test("when a standby is promoted and its address led there, it answers within a second", async () => {
  await using primary = await startPostgres();
  await migrateDatabase(primary.url());
  await using standby = await startStandby(primary);
  await using proxy = await startProxy(primary.port);
  const url = primary.url().replace(`:${primary.port}/`, `:${proxy.port}/`);
  const world = await World.open(async () => ({ url, dispose: async () => {} }), { cacheBytes: 0 });
  await world.import(yearly(1));
  const token = await world.token(YEARLY);
  await caughtUp(standby, primary);
  expect((await world.get(PATH, token)).status).toBe(200);
  await primary.kill9();
  expect((await world.get(PATH, token)).status).toBe(503);
  await standby.promote();
  proxy.lead(standby.port);
  const led = performance.now();
  while ((await world.get(PATH, token)).status !== 200) await sleep(5);
  const waited = performance.now() - led;
  console.info(`what was the standby answers ${waited.toFixed(0)} ms after its address led there`);
  expect(waited).toBeLessThan(SOON);
  await world.close();
});
