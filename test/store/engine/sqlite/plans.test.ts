import { globSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type SqlValue,
  type Engine,
  type Statement,
  STATEMENTS,
} from "../../../../src/store/engine/engine.ts";
import { openEngine } from "../../../../src/store/engine/open.ts";
import { SQLITE } from "../../../../src/store/engine/sqlite/connection.ts";
import { GENERATION_TABLES } from "../../../../src/store/schema/tables.ts";
import { Store } from "../../../../src/store/store.ts";
import { type Search, searchesIn } from "./explained.ts";
import { sqlitePlace, World } from "../../../world.ts";
import { replaced } from "../statements/replaced.ts";
import { ENDPOINTS, endpointShape, GUEST } from "../statements/endpoints.ts";
import { askAll, EXPLORER } from "../statements/uses.ts";

/**
 * The plan of every statement of the program on SQLite. The program keeps no statistics, so plans follow from the
 * schema alone, and a small organization has the same plans as any other.
 */

let world: World;
let database: DatabaseSync;
const declared: Search[] = [];
const asked: Search[] = [];
const loading = new Set<Statement<SqlValue[]>>();

beforeAll(async () => {
  // Loads every file, so that its statements are declared.
  for (const file of globSync("src/{store,snapshot,review,operations,explorer/server,http}/**/*.ts")) {
    await import(new URL(`../../../../${file}`, import.meta.url).href);
  }
  const place = await sqlitePlace();
  const read = new Set<Statement<SqlValue[]>>();
  world = new World(place, new Store(noting(await openEngine(place.url), read), 4), { cacheBytes: 0 });
  await world.import(endpointShape(200));
  for (const holder of [undefined, GUEST]) {
    await askAll(world, [...ENDPOINTS, ...EXPLORER], holder);
    // Only the first pages load the organization.
    if (holder !== undefined) continue;
    for (const each of read) loading.add(each);
    read.clear();
  }
  database = new DatabaseSync(place.url.slice("sqlite:".length), { readOnly: true });
  for (const each of STATEMENTS) {
    const sql = each.sql(SQLITE);
    if (/\bstaged_\w|\bpg_|\bPRAGMA\b/.test(sql)) continue;
    const searches = searchesIn(database, sql, GENERATION_TABLES);
    declared.push(...searches);
    if (read.has(each)) asked.push(...searches);
  }
}, 120_000);
afterAll(async () => {
  database.close();
  await world.close();
});

/** Wraps an engine and adds the statements that it runs to `noted`. */
function noting(engine: Engine, noted: Set<Statement<SqlValue[]>>): Engine {
  const read: Engine["read"] = (wanted, ...parameters) => {
    noted.add(wanted);
    return engine.read(wanted, ...parameters);
  };
  return replaced(engine, { read });
}

test("every statement uses all index columns for which it has conditions", () => {
  expect(declared.length).toBeGreaterThan(60);
  expect(declared.filter(({ used, possible }) => used < possible)).toEqual([]);
});

test("pages of an organization in memory read no table of its generation", () => {
  expect(loading.size).toBeGreaterThan(8);
  expect(asked).toEqual([]);
});
