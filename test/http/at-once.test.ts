import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "../../src/domain/error.ts";
import type { SqlValue, Engine, SqlParameter, Statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { Models } from "../../src/store/models.ts";
import { Store } from "../../src/store/store.ts";
import { MEMBER } from "../store/engine/statements/endpoints.ts";
import { SHAPE, shape } from "../store/shape.ts";
import { type Answer, ownPlace, World } from "../world.ts";

/** Concurrent requests load an organization once; authorization is decided for each. */

const MANY = 10;
const OUTRANKED = "/v1/spaces/sparse/permissions/aggregate?role=edit";
const SITE = `/v1/orgs/${SHAPE}/sites/both/permissions/aggregate`;
const SPACES = `/v1/orgs/${SHAPE}/members/${MEMBER}/spaces`;

let world: World;
let models: Models;
let token: string;
/** While it is true, no member can be read. */
let failing = false;

beforeAll(async () => {
  const place = await ownPlace();
  models = new Models();
  world = new World(place, new Store(watched(await openEngine(place.url)), undefined, models), {});
  await world.import(shape(8_000));
  token = await world.token(SHAPE);
});
afterAll(() => world.close());

/** An engine that fails the reads of a load on demand. */
function watched(engine: Engine): Engine {
  const read = async <Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]) => {
    if (failing && wanted.sql(engine.dialect).includes("FROM member_row"))
      throw new ApiError("unavailable", "The database is away.");
    return engine.read(wanted, ...parameters);
  };
  return new Proxy(engine, {
    get(target, property) {
      if (property === "read") return read;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function atOnce(paths: readonly string[], tokens = [token]): Promise<Answer[]> {
  return Promise.all(paths.flatMap((path) => tokens.map((each) => world.get(path, each))));
}

const same = (path: string) => Array.from({ length: MANY }, () => path);

test("after a failure, the next requests load the organization, once", async () => {
  failing = true;
  const failed = await atOnce(same(OUTRANKED));
  expect(failed.map(({ status }) => status)).toEqual(failed.map(() => 503));
  failing = false;
  const answers = await atOnce([OUTRANKED, SITE, SPACES].flatMap(same));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(3);
  expect(models.loads).toBe(1);
});

test("an unauthorized caller does not get a page that others request at the same time", async () => {
  const other = await world.token(SHAPE, MEMBER);
  const answers = await atOnce(
    same(OUTRANKED).map((path) => `${path}&limit=20`),
    [token, other],
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => [200, 404]).flat());
  for (const { body } of answers.filter(({ status }) => status === 404)) expect(body).not.toContain("items");
});
