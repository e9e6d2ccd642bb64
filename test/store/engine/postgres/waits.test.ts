import { afterAll, beforeAll, expect, test } from "vitest";
import { openEngine } from "../../../../src/store/engine/open.ts";
import { Store } from "../../../../src/store/store.ts";
import { type Recorder, recorded } from "../../../postgres/recorder.ts";
import { usePostgres } from "../../../postgres/use.ts";
import { World } from "../../../world.ts";
import { ADMIN, ENDPOINTS, endpointShape, GUEST, MEMBER } from "../statements/endpoints.ts";
import { SHAPE } from "../../shape.ts";

/** How often a page waits for the database: never, but for the caller and the current revision after a change. */

const postgres = usePostgres();
let world: World;
let recorder: Recorder;

beforeAll(async () => {
  const place = await postgres.places.open();
  recorder = recorded(await openEngine(place.url));
  world = new World(place, new Store(recorder.engine), { cacheBytes: 8 << 20 });
  await world.import(endpointShape(1_000));
});
afterAll(async () => {
  await world.close();
});

let limit = 20;

/** The status of a page that was not asked for before, and its number of waits. */
async function asked(path: string, token: string): Promise<{ status: number; waits: number }> {
  recorder.forget();
  const mark = path.includes("?") ? "&" : "?";
  const { status } = await world.get(`${path}${mark}limit=${++limit}`, token);
  return { status, waits: recorder.waits };
}

test.each([
  ["an organization token", undefined],
  ["an organization admin", ADMIN],
  ["a member", MEMBER],
  ["a guest", GUEST],
])("a page for %s waits for nothing, if the organization is in memory", async (_, member) => {
  const token = await world.token(SHAPE, member);
  await asked(`/v1/orgs/${SHAPE}/members/${member ?? MEMBER}/teams`, token);
  const pages = [];
  for (const endpoint of ENDPOINTS)
    pages.push(await asked(endpoint.replace("{self}", member ?? MEMBER), token));
  expect(pages.filter(({ waits }) => waits > 0)).toEqual([]);
  // Only admins may list sites, other members, and spaces on which they have no permission.
  expect(pages.filter(({ status }) => status === 200).length).toBeGreaterThan(15);
});

test("the caller and the current revision are one wait, once after each change", async () => {
  const token = await world.token(SHAPE, MEMBER);
  const path = `/v1/orgs/${SHAPE}/members/${MEMBER}/teams`;
  await asked(path, token);
  await world.store.engine.transaction((connection) => world.store.engine.announce(connection, "anything"));
  expect(await asked(path, token)).toEqual({ status: 200, waits: 1 });
  expect(await asked(path, token)).toEqual({ status: 200, waits: 0 });
});
