import { globSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHED, SEEN } from "../../../../src/store/engine/marks.ts";
import { STATEMENTS } from "../../../../src/store/engine/engine.ts";
import { GENERATION_TABLES } from "../../../../src/store/schema/tables.ts";
import { openEngine } from "../../../../src/store/engine/open.ts";
import { POSTGRES } from "../../../../src/store/engine/postgres/connection.ts";
import { Store } from "../../../../src/store/store.ts";
import { EXPLAINING, plansIn, type Run } from "../../../postgres/explained.ts";
import { postgresPlaces } from "../../../postgres/place.ts";
import { type PostgresServer, startPostgres } from "../../../postgres/server/server.ts";
import { World } from "../../../world.ts";
import { ENDPOINTS, endpointShape, GUEST } from "../statements/endpoints.ts";
import { faultsOf, importAll } from "../statements/nodes.ts";
import { compareAll, reviewAll } from "../statements/reviewing.ts";
import { SHAPE, user } from "../../shape.ts";
import { askAll, askChanges, changeAll, EXPLORER, FILES, HOLDERS, readAll } from "../statements/uses.ts";

/** The plans of every statement of the program, taken from the sessions in which the program runs it. */

const SMALL = [
  "counter",
  "generation",
  "migration",
  "organization",
  "revision",
  "rule_result",
  "sign_in",
  "token",
];
const MEMBERS = 5_000;
const PAGE = 20;
/** A listing of the spaces of a member with teams: permissions of teams are decided space by space. */
const OF_TEAMS = `/v1/orgs/${SHAPE}/members/${user(3)}/spaces`;
/** The sessions that answer requests and read reports and exports. Other sessions import, migrate or watch. */
const SERVING = ["rolebook", "rolebook read"];

/**
 * Statements that run only on SQLite: the check for changes of other processes.
 */
const OF_FILES = ["PRAGMA data_version", ...[SEEN, PUBLISHED].map(({ sql }) => sql(POSTGRES))];

/**
 * Statements that undo what an interrupted import wrote in place, or what an earlier block of the same revision did;
 * test/store/rows/files.test.ts interrupts at each statement, and test/limits has blocks of few records.
 */
const OF_UNDOING =
  /^DELETE FROM \w+ WHERE generation = \$1 AND since = \$2 |SET until = \d+ WHERE generation = \$1 AND until = \$2 /;

let server: PostgresServer;
let schema: string;
let all: Run[];

beforeAll(async () => {
  // Loads every file, so that its statements are declared.
  for (const file of globSync("src/{store,snapshot,operations,review,explorer/server,http}/**/*.ts")) {
    await import(new URL(`../../../../${file}`, import.meta.url).href);
  }
  server = await startPostgres({ settings: EXPLAINING });
  const places = postgresPlaces(server.url());
  const { url } = await places.open();
  schema = /search_path%3D(\w+)/.exec(url)?.[1] ?? "";
  // The statements run with generic plans, and with custom plans.
  const modes = ["force_generic_plan", "force_custom_plan"].map(
    (mode) => `${url}%20-c%20plan_cache_mode%3D${mode}`,
  );
  for (const each of modes) {
    await inWorld(each, async (world) => {
      if (each === modes[0]) await world.import(endpointShape(MEMBERS));
      const holders = each === modes[0] ? HOLDERS : [undefined, GUEST];
      for (const holder of holders) await askAll(world, [...ENDPOINTS, OF_TEAMS], holder, PAGE);
    });
  }
  for (const each of modes) {
    await inWorld(each, async (world) => {
      await askAll(world, EXPLORER, undefined);
      if (each === modes[0]) {
        await askAll(world, EXPLORER, GUEST);
        // Statements of cursors are not prepared, so every run has its own plan.
        await askAll(world, FILES, undefined);
        await readAll(world);
      }
      await reviewAll(world);
      // Writing statements have the same plans in both modes.
      if (each !== modes[0]) return;
      await changeAll(world);
      await compareAll(world);
      await askChanges(world);
    });
  }
  // The latest revision cannot be read yet: the one before it is looked up, but is no longer kept.
  await server.query(`DELETE FROM ${schema}.revision_row`);
  await inWorld(url, ({ store }) => expect(store.registry.organization(SHAPE)).rejects.toThrow(/answer now/));
  const other = await places.open();
  const [, imported = ""] = /search_path%3D(\w+)/.exec(other.url) ?? [];
  await inWorld(other.url, (world) =>
    importAll(world, () => server.query(`UPDATE ${imported}.member_row SET teams = '' WHERE teams <> ''`)),
  );
  all = plansIn(server.log());
}, 480_000);
afterAll(() => server.close());

async function inWorld(url: string, use: (world: World) => Promise<void>): Promise<void> {
  const store = new Store(await openEngine(url), 4);
  const world = new World({ url, dispose: async () => {} }, store, { cacheBytes: 0 });
  try {
    await use(world);
  } finally {
    await world.close();
  }
}

test("every table but the small ones has the generation first in its primary key and every index", async () => {
  const rows = await server.query<{ table: string; indexes: string[] }>(
    `SELECT c.relname AS table, array_agg(a.attname::text) AS indexes
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_index i ON i.indrelid = c.oid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE n.nspname = $1 GROUP BY c.relname ORDER BY c.relname`,
    [schema],
  );
  expect(rows.map(({ table }) => table)).toEqual([...SMALL, ...GENERATION_TABLES].sort());
  for (const { table, indexes } of rows.filter(({ table }) => !SMALL.includes(table))) {
    expect(new Set(indexes), table).toEqual(new Set(["generation"]));
  }
});

test("every statement of the program was run, except those on staged rows", () => {
  const run = new Set(all.map(({ text }) => text.replace(/^DECLARE \w+ CURSOR (WITH HOLD )?FOR /, "")));
  const declared = STATEMENTS.map(({ sql }) => sql(POSTGRES)).filter(
    (text) => !/\bstaged_\w/.test(text) && !OF_UNDOING.test(text) && !OF_FILES.includes(text),
  );
  expect(declared.length).toBeGreaterThan(70);
  expect(declared.filter((text) => !run.has(text))).toEqual([]);
});

test("no statement reads a large table without its generation, or together with tables on other nodes", () => {
  const own = all.filter(({ session }) => session.startsWith("rolebook"));
  const faults = own.flatMap((run) =>
    faultsOf(run).map((fault) => `${fault} in ${run.session}: ${short(run.text)}`),
  );
  expect([...new Set(faults)]).toEqual([]);
});

test("statements of requests use an index and the generation, with generic and custom plans", () => {
  const faults = new Set<string>();
  const read = new Set<string>();
  for (const { session, text, steps } of all.filter(({ session }) => SERVING.includes(session))) {
    for (const { type, table, condition } of steps) {
      if (table === undefined || SMALL.includes(table)) continue;
      read.add(table);
      const fault = (what: string) => faults.add(`${type} of ${table}${what} in ${session}: ${short(text)}`);
      if (!/^Index (Only )?Scan$/.test(type)) fault("");
      else if (!/\(generation = (\$1|'\d+'::bigint)\)/.test(condition)) fault(` by ${condition}`);
    }
  }
  expect([...faults]).toEqual([]);
  expect([...read].sort()).toEqual([...GENERATION_TABLES].sort());
});

function short(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
