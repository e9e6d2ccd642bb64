import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "../../src/domain/error.ts";
import type { SqlValue, Engine, SqlParameter, Statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { MEMBER } from "../store/engine/statements/endpoints.ts";
import { SHAPE, shape } from "../store/shape.ts";
import { type Answer, ownPlace, World } from "../world.ts";

/** Concurrent requests for the same page compute it once; authorization is decided for each. */

const MANY = 10;
/** While `failing` is true, each read of more than this number of rows fails. */
const ANY = 4;
/** A role that few of its candidates have, so that a page must read whole sets. */
const OUTRANKED = "/v1/spaces/sparse/permissions/aggregate?role=edit";
const SITE = `/v1/orgs/${SHAPE}/sites/both/permissions/aggregate`;
const SPACES = `/v1/orgs/${SHAPE}/members/${MEMBER}/spaces`;

let world: World;
let token: string;
/** The number of rows read from the database. */
let rows = 0;
let failing = false;

beforeAll(async () => {
  const place = await ownPlace();
  world = new World(place, new Store(watched(await openEngine(place.url))), {});
  await world.import(shape(8_000));
  token = await world.token(SHAPE);
  await world.get(SPACES, token);
});
afterAll(() => world.close());

/** An engine that counts rows, and fails the reads of a page on demand. */
function watched(engine: Engine): Engine {
  const read = async <Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]) => {
    const found = await engine.read(wanted, ...parameters);
    if (failing && found.length > ANY) throw new ApiError("unavailable", "The database is away.");
    rows += found.length;
    return found;
  };
  return new Proxy(engine, {
    get(target, property) {
      if (property === "read") return read;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

let limit = 20;

/** Sends requests at once with empty caches. Returns the answers and the number of rows read. */
async function cold(
  paths: readonly string[],
  tokens = [token],
): Promise<{ answers: Answer[]; rows: number }> {
  world.store.cache.clear();
  rows = 0;
  const asked = paths.flatMap((path) => tokens.map((each) => world.get(path, each)));
  return { answers: await Promise.all(asked), rows };
}

/** The same page `times` times, with a limit that was not requested before. */
const same = (path: string, times: number) => {
  limit++;
  const mark = path.includes("?") ? "&" : "?";
  return Array.from({ length: times }, () => `${path}${mark}limit=${limit}`);
};

test.each([OUTRANKED, SITE, SPACES])("concurrent requests for a page read it once: %s", async (path) => {
  const one = await cold(same(path, 1));
  const many = await cold(same(path, MANY));
  expect(one.rows).toBeGreaterThan(20);
  // Authorization is decided for each request, and again if its time ends meanwhile.
  expect(many.rows).toBeLessThan(1.2 * one.rows + 4 * MANY);
  expect(new Set(many.answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(many.answers.map(({ body }) => body)).size).toBe(1);
});

test("an unauthorized caller does not get a page that others request at the same time", async () => {
  const other = await world.token(SHAPE, MEMBER);
  const { answers } = await cold(same(OUTRANKED, MANY), [token, other]);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => [200, 404]).flat());
  for (const { body } of answers.filter(({ status }) => status === 404)) expect(body).not.toContain("items");
});

test("after a failure, the next request reads the page again", async () => {
  failing = true;
  const paths = same(OUTRANKED, MANY);
  const failed = await cold(paths);
  expect(failed.answers.map(({ status }) => status)).toEqual(paths.map(() => 503));
  failing = false;
  const again = await cold(paths);
  expect(again.answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
});
