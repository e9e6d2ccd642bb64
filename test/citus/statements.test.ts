import { expect, test } from "vitest";
import { ENDPOINTS, endpointShape, GUEST } from "../store/engine/statements/endpoints.ts";
import { importAll } from "../store/engine/statements/nodes.ts";
import { compareAll, reviewAll } from "../store/engine/statements/reviewing.ts";
import {
  askAll,
  askChanges,
  changeAll,
  EXPLORER,
  FILES,
  HOLDERS,
  readAll,
} from "../store/engine/statements/uses.ts";
import { World } from "../world.ts";
import { query, strictPlaces } from "./cluster.ts";
import { schemaOf } from "./organizations.ts";
import { runDirectly } from "../directly.ts";

const MEMBERS = 500;
const PAGE = 20;

/** The database refuses a statement that needs two shards, and so would the request or the command that sent it. */
const opened = () => World.open(() => strictPlaces.open(), { cacheBytes: 0 });

test("the database refuses a statement that names no generation", async () => {
  const world = await opened();
  await expect(runDirectly(world.store.engine, "DELETE FROM member_row")).rejects.toThrow(/multi-task query/);
  await world.close();
});

test("every statement of pages, of the explorer and of commands names one generation", async () => {
  const world = await opened();
  await world.import(endpointShape(MEMBERS));
  for (const holder of HOLDERS) await askAll(world, ENDPOINTS, holder, PAGE);
  for (const holder of [undefined, GUEST]) await askAll(world, EXPLORER, holder);
  await askAll(world, FILES, undefined);
  await readAll(world);
  await reviewAll(world);
  await changeAll(world);
  await compareAll(world);
  await askChanges(world);
  await world.close();
});

test("every statement of imports and verifying names one generation", async () => {
  const world = await opened();
  await importAll(world, () =>
    query(`UPDATE ${schemaOf(world)}.member_row SET teams = '' WHERE teams <> ''`),
  );
  await world.close();
});
