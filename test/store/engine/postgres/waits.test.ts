import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEngine } from "../../../../src/store/engine/open.ts";
import { Store } from "../../../../src/store/store.ts";
import { type Recorder, recorded } from "../../../postgres/recorder.ts";
import { startRelay } from "../../../postgres/network/relay.ts";
import { usePostgres } from "../../../postgres/use.ts";
import { World } from "../../../world.ts";
import { ADMIN, ENDPOINTS, endpointShape, GUEST, MEMBER } from "../statements/endpoints.ts";
import { SHAPE, user } from "../../shape.ts";

/**
 * The largest number of waits for the database of a page with nothing in memory: the ladder with its sets and the index,
 * the chunk, the documents.
 */
const COLD = 3;
/** The same for a page of a member's spaces: first, the member. */
const COLD_SPACES = COLD + 1;
/** The largest number of waits of a page that was never asked for before, if its chunks are in memory. */
const WARM = 1;
/** The same for a page of a member's spaces: first, the member. */
const WARM_SPACES = WARM + 1;
/**
 * A page waits once more for the containers of permissions of its own, if there are too many for a head, and for whether
 * the subject of an empty list exists.
 */
const MORE = 1;
/** Half of the spaces are closed to this member. */
const OF_TEAMS = `/members/${user(3)}/spaces`;
/** A site that is closed to most members, with a space that has many permissions of its own. */
const SHUT = "shut";

function isOfSpaces(path: string): boolean {
  return /\/members\/[^/]+\/spaces/.test(path);
}

function mostFor(path: string): number {
  return isOfSpaces(path) ? COLD_SPACES : COLD;
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

interface Answered {
  readonly status: number;
  readonly waits: number;
  readonly count?: number;
  readonly next?: string;
}

/** The number of waits of a request. */
async function asked(path: string, token: string): Promise<Answered> {
  recorder.forget();
  const { status, body } = await world.get(path, token);
  const { waits } = recorder;
  const { next, count }: { next?: { page: string }; count?: number } = JSON.parse(body);
  const answered = count === undefined ? { status, waits } : { status, waits, count };
  return next === undefined ? answered : { ...answered, next: next.page };
}

/** The number of waits of a request when only the caller and the current revision are cached. */
function askedCold(path: string, token: string): Promise<Answered> {
  world.store.cache.clear();
  return asked(path, token);
}

/** Lists of everybody and everything, which no test counts. */
const EVERYTHING = [
  "/v1/spaces/s000005/permissions/aggregate",
  `/v1/orgs/${SHAPE}/members/${user(26)}/spaces`,
];
let large = 1_000;

/** The number of waits of a request when everybody and everything was listed before. */
async function askedWarm(path: string, token: string): Promise<Answered> {
  world.store.cache.clear();
  large--;
  for (const list of EVERYTHING) {
    for (let page: string | undefined = ""; page !== undefined;) {
      const { next }: Answered = await asked(`${list}?limit=${large}${page}`, await world.token(SHAPE));
      page = next === undefined ? undefined : `&page=${next}`;
    }
  }
  return asked(path, token);
}

let limit = 20;

/**
 * The status of a listing, and the largest number of waits among its first three pages. Each page has a limit that was
 * not requested before.
 */
async function mostOf(
  path: string,
  token: string,
  ask: typeof asked,
): Promise<{ status: number; waits: number }> {
  const mark = path.includes("?") ? "&" : "?";
  let most = 0;
  let page = "";
  for (let index = 0; index < 3; index++) {
    const { status, waits, count, next } = await ask(`${path}${mark}limit=${++limit}${page}`, token);
    most = Math.max(most, count === 0 ? waits - MORE : waits);
    if (next === undefined || status !== 200) return { status, waits: most };
    page = `&page=${next}`;
  }
  return { status: 200, waits: most };
}

const HOLDERS = [
  ["an organization token", undefined],
  ["an organization admin", ADMIN],
  ["a member", MEMBER],
  ["a guest", GUEST],
] as const;

describe.each([
  ["with nothing in memory", askedCold, COLD, COLD_SPACES],
  ["with its chunks in memory", askedWarm, WARM, WARM_SPACES],
] as const)("a page %s", (_, ask, most, mostOfSpaces) => {
  test.each(HOLDERS)(
    `for %s waits at most ${most} times, of a member's spaces ${mostOfSpaces} times`,
    async (__, member) => {
      const token = await world.token(SHAPE, member);
      await world.get(`/v1/orgs/${SHAPE}/members/${GUEST}/teams`, token);
      const over = [];
      let listed = 0;
      for (const endpoint of PATHS) {
        const path = endpoint.replace("{self}", member ?? MEMBER);
        const { status, waits } = await mostOf(path, token, ask);
        if (status === 200) listed++;
        const usual = isOfSpaces(path) ? mostOfSpaces : most;
        // A page is read while it is decided whether the caller may list it.
        const isMore = status !== 200 || (path.includes(SHUT) && ask === askedWarm);
        if (waits > usual + (isMore ? MORE : 0)) over.push(`${path}: ${status}, ${waits} waits`);
      }
      expect(over).toEqual([]);
      // Only admins may list sites, other members, and spaces on which they have no permission.
      expect(listed).toBeGreaterThan(15);
    },
  );
});

test("the next page of a list waits for nothing, if its members are in memory", async () => {
  const token = await world.token(SHAPE, MEMBER);
  const path = "/v1/spaces/wide/permissions/aggregate?limit=";
  const { next } = await askedWarm(`${path}301`, token);
  expect(await asked(`${path}302&page=${next}`, token)).toMatchObject({ status: 200, waits: 0 });
});

test("over a network with a millisecond of latency, pages take as few round trips", async () => {
  await using relay = await startRelay(postgres.server.port, 0.5);
  const place = await postgres.places.open();
  const url = place.url.replace(`:${postgres.server.port}/`, `:${relay.port}/`);
  const distant = new World(place, new Store(await openEngine(url)), { cacheBytes: 0 });
  await distant.import(endpointShape(200));
  const token = await distant.token(SHAPE);
  const rounds = async (path: string) => {
    distant.store.cache.clear();
    relay.rounds = 0;
    expect((await distant.get(path, token)).status).toBe(200);
    return relay.rounds;
  };
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.replace("{self}", MEMBER);
    // The first request opens connections. In a later one, a pause of this process may split one round trip into two.
    await expect
      .poll(() => rounds(path), { interval: 0, message: path })
      .toSatisfy((each: number) => each > 0 && each <= mostFor(path));
  }
  await distant.close();
});

test("the caller and the current revision are one wait, once after each change", async () => {
  const token = await world.token(SHAPE, MEMBER);
  const path = `/v1/orgs/${SHAPE}/members/${MEMBER}/teams`;
  await askedCold(`${path}?limit=501`, token);
  const { waits } = await askedCold(`${path}?limit=502`, token);
  await world.store.engine.transaction((connection) => world.store.engine.announce(connection, "anything"));
  const changed = await askedCold(`${path}?limit=503`, token);
  expect(changed).toMatchObject({ status: 200, waits: waits + 1 });
  expect(await askedCold(`${path}?limit=504`, token)).toMatchObject({ status: 200, waits });
});

test("a cached page waits for nothing", async () => {
  const token = await world.token(SHAPE);
  const path = "/v1/spaces/wide/permissions/users?limit=601";
  await world.get(path.replace("601", "600"), token);
  expect((await askedCold(path, token)).waits).toBe(COLD);
  recorder.forget();
  expect((await world.get(path, token)).status).toBe(200);
  expect(recorder.waits).toBe(0);
});
