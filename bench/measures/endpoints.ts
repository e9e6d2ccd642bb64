/** A page of every endpoint asked for again, and pages never asked for, beside a server that only sends the same bytes. */
import { join } from "node:path";
import type { Bench } from "../harness/bench.ts";
import { capture, responsesIn } from "../harness/capture.ts";
import { costs, countOf } from "../harness/cost.ts";
import type { Directory, Holding } from "../harness/directory.ts";
import { type Drawer, LIMIT } from "../harness/draw.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { type Server, startLimit } from "../harness/server.ts";
import { ratio } from "../harness/spread.ts";
import { ENDPOINTS, type Endpoint, nameOf, urlOf } from "../harness/url.ts";
import type { World } from "../harness/world.ts";
import { at, type Kind, KINDS, nextOf } from "./pages.ts";

/** The number of pages that the limit server sends in turn. */
const SAMPLE = 200;
/** A page from the cache takes some 30 µs: too few of them could not be measured. */
const AGAIN = 10;

const HARD: readonly Kind[] = [
  ...KINDS.filter(({ name }) => /^(site of 500|role=)/.test(name)),
  { name: "site of guests", draw: (drawer) => at(drawer, 8, drawer.world.marks.guestSite) },
  {
    name: "role=edit on any space",
    draw: (drawer) => (random) => ({ ...drawer.anywhere(3)(random), role: "edit" }),
  },
];

/** With the access log off and on; metrics are always on. */
export async function endpoints(bench: Bench, put: Put): Promise<void> {
  const smallest = await bench.drawerOf(bench.worlds[0]);
  for (const world of bench.worlds) await endpointsOf(bench, await bench.drawerOf(world), smallest, put);
}

async function endpointsOf(bench: Bench, drawer: Drawer, smallest: Drawer, put: Put): Promise<void> {
  const { world } = drawer;
  const quiet = await bench.serverOf(world);
  const logging = await serve(world, {
    env: { ROLEBOOK_LOG_LEVEL: "info" },
    log: join(bench.folder, "access.log"),
  });
  try {
    for (const endpoint of ENDPOINTS) {
      const page = fullestPage(world, drawer.directory, endpoint);
      const same = Array<string>(bench.pages * AGAIN).fill(page);
      await beside("again", nameOf(endpoint), [page], () => same);
    }
    const every = ENDPOINTS.map((endpoint): Kind => {
      return { name: nameOf(endpoint), draw: () => drawer.anywhere(endpoint) };
    });
    for (const kind of [...every, ...HARD]) {
      const sample = nextOf(kind, drawer, smallest, SAMPLE)();
      await beside("fresh", kind.name, sample, nextOf(kind, drawer, smallest, bench.pages));
    }
  } finally {
    await logging.stop();
  }

  async function beside(
    when: "again" | "fresh",
    name: string,
    sample: readonly string[],
    next: () => string[],
  ): Promise<void> {
    const file = join(bench.folder, `${when}.json`);
    await capture(quiet.url, sample, world.token, file);
    const limit = await startLimit(file);
    try {
      const sides = [limit, quiet, logging].map((server: Server) => ({ server, token: world.token, next }));
      const [theirs = [], ours = [], logged = []] = (await costs(bench, sides)).map(({ main }) => main);
      const entries = responsesIn(file).reduce((sum, { body }) => sum + countOf(body), 0);
      put(world.size, name, `${when}: entries`, entries / sample.length);
      put(world.size, name, `${when}: CPU µs`, ours);
      put(world.size, name, `${when}: CPU, × the limit's`, ratio(ours, theirs));
      put(world.size, name, `${when}: CPU with access log, × the limit's`, ratio(logged, theirs));
    } finally {
      await limit.stop();
    }
  }
}

/** The URL of a full page: of a special case, or of the subject with the longest list. */
export function fullestPage(world: World, { collections, busiest }: Directory, endpoint: Endpoint): string {
  const { marks, revision } = world;
  const most = (size: (holding: Holding) => number) =>
    collections.toSorted((a, b) => size(b) - size(a))[0]?.id ?? "";
  const ids: Record<Endpoint, string> = {
    1: marks.directSpace,
    2: marks.manyTeamsSpace,
    3: marks.ordinaryOpenSpace,
    4: most(({ teams }) => teams),
    5: most(({ users }) => users),
    6: marks.ordinaryCollection,
    7: marks.ordinaryMember,
    8: marks.openSite,
    9: busiest,
  };
  return urlOf({ endpoint, id: ids[endpoint], limit: LIMIT }, revision);
}
