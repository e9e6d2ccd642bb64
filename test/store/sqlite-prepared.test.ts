import { constants, DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Column, Engine, Parameter, Statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { SqliteConnection } from "../../src/store/engine/sqlite/connection.ts";
import { Store } from "../../src/store/store.ts";
import { sqlitePlace, World } from "../world.ts";
import { ENDPOINTS, endpointShape } from "./endpoints.ts";
import { askAll, EXPLORER, HOLDERS } from "./uses.ts";

/**
 * A statement is parsed and planned once, not each time that it is run. SQLite asks an authorizer whenever it makes a
 * statement, also one that it has made before.
 */

let world: World;
let database: DatabaseSync;
/** How often SQLite has asked. */
let asked = 0;
/** Statements that were run, and those that were made anew when they were run again. */
const known = new Set<Statement<Column[]>>();
const anew = new Set<string>();

beforeAll(async () => {
  const place = await sqlitePlace();
  const engine = await openEngine(place.url);
  world = new World(place, new Store(watched(engine, place.url), 4), { cacheBytes: 0 });
  await world.import(endpointShape(2_000));
}, 120_000);
afterAll(async () => {
  database.close();
  await world.close();
});

/** The engine, reading over a connection of our own that tells when a statement is made. */
function watched(engine: Engine, url: string): Engine {
  database = new DatabaseSync(url.slice("sqlite:".length), { readOnly: true });
  database.setAuthorizer(() => {
    asked++;
    return constants.SQLITE_OK;
  });
  const connection = new SqliteConnection(database);
  const read = async <Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]) => {
    const before = asked;
    const rows = connection.read(wanted, ...parameters);
    // It has been run by now: what SQLite does, it does before it returns.
    if (asked > before && known.has(wanted)) anew.add(wanted.sql(connection.dialect));
    known.add(wanted);
    return rows;
  };
  return new Proxy(engine, {
    get(target, property) {
      if (property === "read" || property === "readFresh") return read;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("no statement of a page is made anew when it is run again", async () => {
  for (const limit of [7, 20, 20]) {
    for (const holder of HOLDERS) await askAll(world, ENDPOINTS, holder, limit);
    for (const holder of HOLDERS) await askAll(world, EXPLORER, holder);
  }
  expect(known.size).toBeGreaterThan(30);
  expect(asked).toBeGreaterThan(known.size);
  expect([...anew]).toEqual([]);
});
