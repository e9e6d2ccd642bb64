import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SNAPSHOT_TABLES } from "../../src/store/migrations.ts";
import { openEngine } from "../../src/store/open.ts";
import { SESSION } from "../../src/store/postgres/pool.ts";
import { Store } from "../../src/store/store.ts";
import { type PlanMode, stepsOf } from "../postgres/plan.ts";
import { type Recorded, type Recorder, recorded } from "../postgres/recorder.ts";
import { usePostgres } from "../postgres/use.ts";
import { World } from "../world.ts";
import { ADMIN, ENDPOINTS, endpointShape, GUEST, MEMBER } from "./endpoints.ts";
import { SHAPE } from "./shape.ts";

const SMALL = ["counter", "migration", "organization", "snapshot", "token"];
const MEMBERS = 20_000;
const PAGE = 20;
/** No step of a plan sees more rows for a page; the tables have some ten thousands. */
const MOST = 2_000;

const postgres = usePostgres();
let world: World;
let recorder: Recorder;
let client: Client;
let schema: string;

beforeAll(async () => {
  const place = await postgres.places.open();
  schema = /search_path%3D(\w+)/.exec(place.url)?.[1] ?? "";
  recorder = recorded(await openEngine(place.url));
  world = new World(place, new Store(recorder.engine), { cacheBytes: 0 });
  await world.import(endpointShape(MEMBERS));
  client = await postgres.server.connect();
  await client.query(`SET search_path = ${schema}; ${SESSION}`);
}, 120_000);
afterAll(async () => {
  await client.end();
  await world.close();
});

test("every table but the small ones is led by the snapshot number, in its primary key and every index", async () => {
  const { rows } = await client.query<{ table: string; indexes: string[] }>(
    `SELECT c.relname AS table, array_agg(a.attname::text) AS indexes
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_index i ON i.indrelid = c.oid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE n.nspname = $1 GROUP BY c.relname ORDER BY c.relname`,
    [schema],
  );
  expect(rows.map(({ table }) => table)).toEqual([...SMALL, ...SNAPSHOT_TABLES].sort());
  for (const { table, indexes } of rows.filter(({ table }) => !SMALL.includes(table))) {
    expect(new Set(indexes), table).toEqual(new Set(["snapshot"]));
  }
});

/** Every statement of pages at the front, in the middle and at the end, once for each set of parameters. */
async function statements(): Promise<Recorded[]> {
  recorder.forget();
  for (const member of [undefined, ADMIN, MEMBER, GUEST]) {
    const token = await world.token(SHAPE, member);
    for (const endpoint of ENDPOINTS) {
      const path = endpoint.replace("{self}", member ?? MEMBER);
      const mark = path.includes("?") ? "&" : "?";
      for (let page = "", index = 0; index < 3; index++) {
        const { status, body } = await world.get(`${path}${mark}limit=${PAGE}${page}`, token);
        const { next }: { next?: { page: string } } = JSON.parse(body);
        if (status !== 200 || next === undefined) break;
        page = `&page=${next.page}`;
      }
    }
  }
  const distinct = new Map(
    recorder.statements.map((each) => [
      `${each.wanted.sql(world.store.engine.dialect)} ${JSON.stringify(each.parameters)}`,
      each,
    ]),
  );
  return [...distinct.values()];
}

test("every statement of a page goes by index and snapshot, with a plan made once or each time", async () => {
  const all = await statements();
  const faults = new Set<string>();
  const read = new Set<string>();
  for (const mode of ["force_generic_plan", "force_custom_plan"] satisfies PlanMode[]) {
    for (const each of all) {
      const text = each.wanted.sql(world.store.engine.dialect).replaceAll(/\s+/g, " ");
      for (const { type, table, condition, rows } of await stepsOf(client, each, mode)) {
        const fault = (what: string) => faults.add(`${mode}: ${type} ${what} in ${text}`);
        if (rows > MOST) fault(`sees ${rows} rows`);
        if (table === undefined || SMALL.includes(table)) continue;
        read.add(table);
        if (!/^Index (Only )?Scan$/.test(type)) fault(`of ${table}`);
        else if (!/\(snapshot = (\$1|'\d+'::bigint)\)/.test(condition)) fault(`of ${table} by ${condition}`);
      }
    }
  }
  console.info(`${all.length} statements of ${new Set(all.map(({ wanted }) => wanted)).size} kinds`);
  expect([...faults]).toEqual([]);
  expect([...read].sort()).toEqual([
    "collection_posting",
    "content",
    "member",
    "member_team",
    "posting",
    "site",
    "site_space",
    "space",
    "space_posting",
    "team",
    "team_permission",
  ]);
});
