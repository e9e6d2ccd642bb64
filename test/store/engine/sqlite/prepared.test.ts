import { constants, DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SqlValue, Engine, SqlParameter, Statement } from "../../../../src/store/engine/engine.ts";
import { openEngine } from "../../../../src/store/engine/open.ts";
import { SqliteConnection } from "../../../../src/store/engine/sqlite/connection.ts";
import { Store } from "../../../../src/store/store.ts";
import { sqlitePlace, World } from "../../../world.ts";
import { ENDPOINTS, endpointShape, THINGS } from "../statements/endpoints.ts";
import { askAll, EXPLORER, HOLDERS } from "../statements/uses.ts";

/**
 * Statements are parsed and planned only once. SQLite calls an authorizer whenever it prepares a statement, including
 * for the second time.
 */

let world: World;
let database: DatabaseSync;
/** The number of calls of the authorizer so far. */
let asked = 0;
/** `known` has the executed statements; `anew` those that were prepared again. */
const known = new Set<Statement<SqlValue[]>>();
const anew = new Set<string>();

beforeAll(async () => {
  const place = await sqlitePlace();
  const engine = await openEngine(place.url);
  world = new World(place, new Store(watched(engine, place.url), 4), { cacheBytes: 0 });
  await world.import(endpointShape(1_000));
}, 120_000);
afterAll(async () => {
  database.close();
  await world.close();
});

/** An engine with one connection, whose authorizer counts. */
function watched(engine: Engine, url: string): Engine {
  database = new DatabaseSync(url.slice("sqlite:".length), { readOnly: true });
  database.setAuthorizer(() => {
    asked++;
    return constants.SQLITE_OK;
  });
  const connection = new SqliteConnection(database);
  const read = async <Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]) => {
    const before = asked;
    const rows = connection.read(wanted, ...parameters);
    // SQLite is synchronous, so the statement has run now.
    if (asked > before && known.has(wanted)) anew.add(wanted.sql(connection.dialect));
    known.add(wanted);
    return rows;
  };
  return new Proxy(engine, {
    get(target, property) {
      if (property === "read") return read;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("no statement of a page is prepared again when it is repeated", async () => {
  for (const limit of [7, 20]) {
    for (const holder of HOLDERS) await askAll(world, ENDPOINTS, holder, limit);
    for (const holder of HOLDERS) await askAll(world, THINGS, holder);
    for (const holder of HOLDERS) await askAll(world, EXPLORER, holder);
  }
  expect(known.size).toBeGreaterThan(10);
  expect(asked).toBeGreaterThan(known.size);
  expect([...anew]).toEqual([]);
});
