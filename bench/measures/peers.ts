/**
 * One page of an aggregate: Rolebook's over HTTP, one SQL query on plain tables, and SpiceDB, on the same organization.
 * All answers must be equal.
 */
import { Agent } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Bench } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import { costs } from "../harness/cost.ts";
import { type Draw, LIMIT } from "../harness/draw.ts";
import type { Put } from "../harness/result.ts";
import { ratio } from "../harness/spread.ts";
import type { World } from "../harness/world.ts";
import { startGuest } from "../peers/guest.ts";
import type { Entry, Question } from "../peers/peer.ts";

/** A page of SpiceDB may take half a minute. */
const ROUNDS = 3;

type Content = Pick<Question, "kind" | "id">;

interface Page {
  readonly next?: { readonly page: string };
  readonly items: readonly { readonly permission: string; readonly user: { readonly id: string } }[];
}

export async function plain(bench: Bench, put: Put): Promise<void> {
  for (const world of bench.worlds) await beside(bench, world, "plain", "SQL", put);
}

/** At S and M: SpiceDB holds M in 2.5 GB, and takes half a minute for a page of it. */
export async function spicedb(bench: Bench, put: Put): Promise<void> {
  for (const world of bench.worlds) {
    if (world.size !== "L") await beside(bench, world, "spicedb", "SpiceDB", put);
  }
}

async function beside(bench: Bench, world: World, kind: string, name: string, put: Put): Promise<void> {
  const { size, seed, marks, token } = world;
  const contents: Record<string, Content> = {
    "an open space": { kind: "space", id: marks.ordinaryOpenSpace },
    "a closed space": { kind: "space", id: marks.ordinaryClosedSpace },
    "the closed space with every team": { kind: "space", id: marks.manyTeamsSpace },
    "the space with permissions for a fifth of all": { kind: "space", id: marks.directSpace },
    "the collection over half of the spaces": { kind: "collection", id: marks.halfCollection },
  };
  const peer = await startGuest(kind, size, String(seed));
  try {
    const server = await bench.serverOf(world);
    const drawer = await bench.drawerOf(world);
    for (const [of, content] of Object.entries(contents)) {
      const expected = await allOf(server.url, token, content);
      const { entries } = await peer.ask({ ...content, offset: 0, limit: expected.length + 1 });
      if (!isDeepStrictEqual(entries, expected))
        throw new Error(`${name} and Rolebook answer differently for ${of} of ${size}`);
      // Each page begins at another entry, so none is cached.
      const draw: Draw = (random) => ({
        endpoint: content.kind === "space" ? 3 : 6,
        id: content.id,
        after: expected[Math.floor(random() * (expected.length - LIMIT))]?.user,
      });
      const next = () => drawer.fresh(draw, bench.pages);
      const [own] = await costs(bench, [{ server, token, next }]);
      const mine = (own?.process ?? []).map((each) => each / 1000);
      const theirs: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const offset = Math.floor((expected.length * round) / ROUNDS);
        theirs.push((await peer.ask({ ...content, offset, limit: LIMIT })).cpu);
      }
      put(size, of, "Rolebook, CPU ms", mine);
      put(size, of, `${name}, CPU ms`, theirs);
      put(size, of, `${name}, × Rolebook`, ratio(theirs, mine));
    }
  } finally {
    peer.stop();
  }
}

/** The whole aggregate, walked over HTTP. */
async function allOf(base: string, token: string, { kind, id }: Content): Promise<Entry[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = new URL(`/v1/${kind}s/${id}/permissions/aggregate?limit=1000`, base);
  const entries: Entry[] = [];
  try {
    for (;;) {
      const { body } = await ask(url, token, agent);
      const page: Page = JSON.parse(body);
      for (const { permission, user } of page.items) entries.push({ user: user.id, role: permission });
      if (page.next === undefined) return entries;
      url.searchParams.set("page", page.next.page);
    }
  } finally {
    agent.destroy();
  }
}
