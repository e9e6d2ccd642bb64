import { afterAll, beforeAll, expect, test } from "vitest";
import { Program } from "../../../crash/program.ts";
import { toLines } from "../../../oracle/records.ts";
import { usePostgres } from "../../../postgres/use.ts";
import { YEARLY, yearly } from "../../../postgres/yearly.ts";
import { type Place, World } from "../../../world.ts";
import { compareAll } from "../../listings/listings.ts";

/** Imports into one PostgreSQL that start at the same time run one after the other, even if the first one fails. */

const postgres = usePostgres();
let place: Place;
let world: World;

beforeAll(async () => {
  place = await postgres.places.open();
  world = await World.open(async () => place);
});
afterAll(async () => {
  await world.close();
});

function importing(year: number): Program {
  const file = world.file(toLines(yearly(year)), `${year}.ndjson`);
  return new Program(["import", "--allow-removals", "--database", place.url, file]);
}

/** The number of imports that have asked for the lock since anything else. */
async function asking(): Promise<number> {
  const asked = await postgres.server.query(`
    SELECT FROM pg_stat_activity
    WHERE application_name = 'rolebook import' AND state = 'idle' AND query LIKE '%pg_try_advisory_lock%'`);
  return asked.length;
}

test("concurrent imports run one after the other, and the last one is listed", async () => {
  const years = [1, 2, 3];
  const ended = await Promise.all(years.map((year) => importing(year).ended));
  expect(ended.map(({ status }) => status)).toEqual([0, 0, 0]);
  const current = await world.store.registry.organization(YEARLY);
  const year = Number(current?.current.title.replace("Year ", ""));
  expect(years).toContain(year);
  expect(current?.current.revision).toBe(3);
  await compareAll(world, yearly(year), [5]);
});

test("a waiting import continues when the session of the running one ends", async () => {
  let waiting: Program | undefined;
  await world.store.engine.importing(
    async () => {
      waiting = importing(4);
      // The running import's session has asked for the lock too, before this test.
      await expect.poll(asking).toBe(2);
      const sessions = await postgres.server.query<{ pid: number }>(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted",
      );
      // Ends the sessions, as the system does with those of a dead process.
      for (const { pid } of sessions) await postgres.server.query("SELECT pg_terminate_backend($1)", [pid]);
      expect((await waiting.ended).status).toBe(0);
    },
    () => {},
  );
  await compareAll(world, yearly(4), [5]);
});
