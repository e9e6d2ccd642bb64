/** On PostgreSQL, servers one version apart run side by side before, during and after a migration. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCHEMA } from "../../src/store/schema/migrations.ts";
import { MAIN, rolebookProcess } from "../command.ts";
import { usePostgres } from "../postgres/use.ts";
import { YEARLY, yearly } from "../postgres/yearly.ts";
import { type Place, World } from "../world.ts";
import { startServing } from "../backup/serving.ts";
import { makeVersion } from "./version.ts";

const folder = mkdtempSync(join(tmpdir(), "rolebook-side-"));
const PATH = "/v1/spaces/a/permissions/aggregate";

const postgres = usePostgres();
let place: Place;
let environment: Record<string, string>;
let next: string;
let world: World;

beforeAll(async () => {
  place = await postgres.places.open();
  environment = { ROLEBOOK_DATABASE_URL: place.url };
  // Two migrations overlap, because each takes 0.5 s. They add columns to tables that every request reads.
  next = makeVersion(
    join(folder, "next"),
    "SELECT pg_sleep(0.5); ALTER TABLE token ADD COLUMN used_at text; ALTER TABLE member_row ADD COLUMN more text",
  );
  world = await World.open(async () => place);
  await world.import(yearly(1));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the old server answers throughout, the new one after the migration; then both import and serve", async () => {
  const token = await world.token(YEARLY);
  const refused = await rolebookProcess(["status"], environment, next);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `has schema ${SCHEMA}; this program works with ${SCHEMA + 1}\\. Run: rolebook database migrate\\n$`,
      ),
    ),
  ]);

  await using open = new AsyncDisposableStack();
  const before = await startServing([process.execPath, MAIN, "serve", "--port", "0"], environment);
  open.defer(async () => void before.child.kill("SIGKILL"));
  const ask = async (url: string, limit: number) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${url}${PATH}?limit=${limit}`, { headers })).status;
  };
  const load = new AbortController();
  open.defer(async () => load.abort());
  const statuses = new Map<number, number>();
  const asking = (async () => {
    for (let limit = 1; !load.signal.aborted; limit = (limit % 1000) + 1) {
      const status = await ask(before.url, limit);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  })();
  await expect.poll(() => statuses.get(200) ?? 0).toBeGreaterThan(0);

  const migrations = await Promise.all(
    [1, 2, 3].map(() => rolebookProcess(["database", "migrate"], environment, next)),
  );
  expect(migrations.map(({ status }) => status)).toEqual([0, 0, 0]);
  const said = migrations.map(({ stderr }) => stderr).sort();
  const name = said[0]?.split(" ")[1] ?? "";
  expect(name).toMatch(/^postgres:\/\/[^@]+$/);
  expect(said[0]).toBe(`Migrated ${name} from schema ${SCHEMA} to ${SCHEMA + 1}.\n`);
  expect(said.slice(1)).toEqual(
    Array.from(
      { length: 2 },
      () => `The database ${name} has schema ${SCHEMA + 1}, which this program uses; nothing to do.\n`,
    ),
  );

  const after = await startServing([process.execPath, next, "serve", "--port", "0"], environment);
  open.defer(async () => void after.child.kill("SIGKILL"));
  const file = world.file(
    `${yearly(2)
      .map((record) => JSON.stringify(record))
      .join("\n")}\n`,
  );
  for (const main of [MAIN, next]) {
    const imported = await rolebookProcess(["import", "--allow-removals", file], environment, main);
    expect(imported.status, imported.stderr).toBe(0);
    expect(await ask(before.url, 1000)).toBe(200);
    expect(await ask(after.url, 1000)).toBe(200);
  }
  // The previous version can still start now; the version before it cannot.
  expect((await rolebookProcess(["status"], environment)).status).toBe(0);
  await postgres.server.query(
    `INSERT INTO ${/search_path%3D(\w+)/.exec(place.url)?.[1] ?? ""}.migration VALUES ($1, 'now')`,
    [SCHEMA + 2],
  );
  const late = await rolebookProcess(["status"], environment);
  expect([late.status, late.stderr]).toEqual([1, expect.stringMatching(/Use a newer rolebook\.\n$/)]);

  load.abort();
  await asking;
  expect([...statuses.keys()]).toEqual([200]);
  expect(await Promise.all([before.stop(), after.stop()])).toEqual([0, 0]);
});
