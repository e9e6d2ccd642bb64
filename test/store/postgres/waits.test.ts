import { afterAll, beforeAll, expect, test } from "vitest";
import { openEngine } from "../../../src/store/engine/open.ts";
import { Store } from "../../../src/store/store.ts";
import { type Recorder, recorded } from "../../postgres/recorder.ts";
import { startRelay } from "../../postgres/network/relay.ts";
import { usePostgres } from "../../postgres/use.ts";
import { World } from "../../world.ts";
import { ADMIN, ENDPOINTS, endpointShape, GUEST, MEMBER } from "../statements/endpoints.ts";
import { SHAPE, user } from "../shape.ts";

/** The largest number of waits for the database that an uncached page may take. */
const MOST = 2;
/** Half of the spaces are closed to this member, so one read of the next spaces does not fill a page. */
const OF_TEAMS = `/members/${user(3)}/spaces`;
/** A site that is closed to most members. */
const SHUT = "shut";

function mostFor(path: string): number {
  return path.includes(OF_TEAMS) ? MOST + 1 : MOST;
}

const PATHS = [
  ...ENDPOINTS,
  `/v1/orgs/${SHAPE}${OF_TEAMS}`,
  `/v1/orgs/${SHAPE}/sites/${SHUT}/permissions/aggregate`,
];

const postgres = usePostgres();
let world: World;
let recorder: Recorder;

beforeAll(async () => {
  const place = await postgres.places.open();
  recorder = recorded(await openEngine(place.url));
  world = new World(place, new Store(recorder.engine), { cacheBytes: 8 << 20 });
  await world.import([
    ...endpointShape(1_000),
    { object: "site", id: SHUT, organization: SHAPE, title: "Shut" },
    ...["narrow", "sparse"].map((space) => ({ object: "siteSpace", site: SHUT, space }) as const),
  ]);
});
afterAll(async () => {
  await world.close();
});

/** The number of waits of a request when only the caller and the current revision are cached. */
async function asked(path: string, token: string): Promise<{ status: number; waits: number; next?: string }> {
  world.store.cache.clear();
  recorder.forget();
  const { status, body } = await world.get(path, token);
  const { waits } = recorder;
  const { next }: { next?: { page: string } } = JSON.parse(body);
  return next === undefined ? { status, waits } : { status, waits, next: next.page };
}

let limit = 20;

/**
 * The status of a listing, and the largest number of waits among its first three pages. Each page has a limit that was
 * not requested before.
 */
async function mostOf(path: string, token: string): Promise<{ status: number; waits: number }> {
  const mark = path.includes("?") ? "&" : "?";
  let most = 0;
  let page = "";
  for (let index = 0; index < 3; index++) {
    const { status, waits, next } = await asked(`${path}${mark}limit=${++limit}${page}`, token);
    most = Math.max(most, waits);
    if (next === undefined || status !== 200) return { status, waits: most };
    page = `&page=${next}`;
  }
  return { status: 200, waits: most };
}

test.each([
  ["an organization token", undefined],
  ["an organization admin", ADMIN],
  ["a member", MEMBER],
  ["a guest", GUEST],
])(
  "for %s no page waits more than twice, except for a member to whom most next spaces are closed",
  async (_, member) => {
    const token = await world.token(SHAPE, member);
    await world.get(`/v1/orgs/${SHAPE}/members/${GUEST}/teams`, token);
    const over = [];
    let listed = 0;
    for (const endpoint of PATHS) {
      const path = endpoint.replace("{self}", member ?? MEMBER);
      const { status, waits } = await mostOf(path, token);
      if (status === 200) listed++;
      if (waits > mostFor(path) || waits === 0) over.push(`${path}: ${status}, ${waits} waits`);
    }
    expect(over).toEqual([]);
    // Only admins may list sites, other members, and spaces on which they have no permission.
    expect(listed).toBeGreaterThan(15);
  },
);

test("over a network with a millisecond of latency, pages take as few round trips", async () => {
  await using relay = await startRelay(postgres.server.port, 0.5);
  const place = await postgres.places.open();
  const url = place.url.replace(`:${postgres.server.port}/`, `:${relay.port}/`);
  const distant = new World(place, new Store(await openEngine(url)), { cacheBytes: 8 << 20 });
  await distant.import(endpointShape(200));
  const token = await distant.token(SHAPE);
  const rounds: Record<string, number> = {};
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.replace("{self}", MEMBER);
    const mark = path.includes("?") ? "&" : "?";
    // The first request opens connections, so it does not count. In a later one, a pause of this process may split one
    // round trip into two, so the least number counts.
    for (let limit = 20; limit < 30; limit++) {
      distant.store.cache.clear();
      relay.rounds = 0;
      expect((await distant.get(`${path}${mark}limit=${limit}`, token)).status).toBe(200);
      if (limit > 20) rounds[path] = Math.min(rounds[path] ?? Infinity, relay.rounds);
      if ((rounds[path] ?? Infinity) <= MOST) break;
    }
  }
  await distant.close();
  expect(Object.entries(rounds).filter(([, each]) => each === 0 || each > MOST)).toEqual([]);
});

test("the caller and the current revision are one wait, once after each change", async () => {
  const token = await world.token(SHAPE, MEMBER);
  const path = `/v1/orgs/${SHAPE}/members/${MEMBER}/teams`;
  await asked(`${path}?limit=501`, token);
  const { waits } = await asked(`${path}?limit=502`, token);
  await world.store.engine.transaction((connection) => world.store.engine.announce(connection, "anything"));
  const changed = await asked(`${path}?limit=503`, token);
  expect(changed).toEqual({ status: 200, waits: waits + 1 });
  expect(await asked(`${path}?limit=504`, token)).toEqual({ status: 200, waits });
});

test("a cached page waits for nothing", async () => {
  const token = await world.token(SHAPE);
  const path = "/v1/spaces/wide/permissions/users?limit=601";
  await world.get(path.replace("601", "600"), token);
  expect((await asked(path, token)).waits).toBe(MOST);
  recorder.forget();
  expect((await world.get(path, token)).status).toBe(200);
  expect(recorder.waits).toBe(0);
});
