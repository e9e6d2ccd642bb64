/** The last case of goal 4: pages of a role that only ten of very many candidates have. */
import { ask } from "../server/capture.ts";
import { serve } from "../server/rolebook.ts";
import { spread } from "../figures/spread.ts";
import type { Bench } from "../work/bench.ts";
import { costs, countOf, cpuRatio, ratio } from "../work/cost.ts";
import { LIMIT } from "../work/draw.ts";
import { EVERY, pace, quantile } from "../work/pace.ts";
import { type Table, type Verdict, few } from "../work/section.ts";
import { urlOf } from "../work/url.ts";
import { type World, look } from "../work/world.ts";

/** The number of pages that warm up a new server. */
const WARM = 400;
/** Other requests are also measured alone, for this time in milliseconds. */
const USUAL = 400;
/** The largest allowed ratio of the cost of a later page to that of an ordinary page. */
const ORDINARY = 1.2;

/**
 * Measures first pages on new servers against an SQL EXCEPT, later pages against ordinary ones, and other requests
 * meanwhile.
 */
export async function sparse(bench: Bench): Promise<{ parts: (string | Table)[]; verdicts: Verdict[] }> {
  const world = bench.largest;
  const { sparse: mark } = world.marks;
  const first: number[] = [];
  const bare: number[] = [];
  const usual: number[] = [];
  const meanwhile: number[] = [];
  for (let round = 0; round <= bench.timing.rounds; round += 1) {
    const except = subtract(world);
    const found = await firstPage(bench);
    // Round 0 only reads the file into memory.
    if (round === 0) continue;
    bare.push(except);
    first.push(found.milliseconds);
    usual.push(...found.usual);
    meanwhile.push(...found.meanwhile);
  }
  const later = await laterPages(bench);
  const firstRatio = ratio(first, bare);
  const others = spread([quantile(meanwhile, 0.99) / quantile(usual, 0.99)]);
  bench.note(
    `4 sparse role: first × ${few(firstRatio)}, later × ${few(later)}, others' p99 × ${few(others)}`,
  );
  const name = `the role that ${mark.keepers.length} of ${mark.candidates.toLocaleString("en")} candidates keep`;
  return {
    parts: [
      `For ${name} the first page comes from a newly started server that was warmed up with other pages. Its time by the clock is compared with that of a bare EXCEPT of the same two lists in \`node:sqlite\`. The other requests are aggregates at a pace of ${1000 / EVERY} a second; ${meanwhile.length} of them ran during the first pages. A later page counts as ordinary if it takes at most ${ORDINARY} times the CPU of a page of 50 of an open space.`,
      [
        ["first page, ms", "bare EXCEPT, ms", "ratio", "p99 of others before, ms", "meanwhile, ms"],
        [
          few(spread(first)),
          few(spread(bare)),
          few(firstRatio),
          quantile(usual, 0.99).toFixed(1),
          quantile(meanwhile, 0.99).toFixed(1),
        ],
      ],
    ],
    verdicts: [
      { what: `${name}: first page by a bare EXCEPT`, figure: firstRatio, bound: { side: "most", value: 3 } },
      {
        what: "its later pages, CPU by an ordinary page",
        figure: later,
        bound: { side: "most", value: ORDINARY },
      },
      { what: "p99 of other requests meanwhile", figure: others, bound: { side: "most", value: 2 } },
    ],
  };
}

/** The duration of the SQL EXCEPT on its own connection, in milliseconds. */
function subtract({ path, revision: generation, marks }: World): number {
  const database = look(path);
  try {
    database.exec("PRAGMA cache_size = -65536");
    const statement = database.prepare(
      `SELECT position FROM team_member WHERE generation = ? AND team = ?
       EXCEPT SELECT position FROM user_grant WHERE generation = ? AND content = ? ORDER BY position`,
    );
    const begin = performance.now();
    const kept = statement.all(generation, marks.everyoneTeam, generation, `space/${marks.sparse.space}`);
    const took = performance.now() - begin;
    if (kept.length !== marks.sparse.keepers.length) throw new Error(`the EXCEPT keeps ${kept.length}`);
    return took;
  } finally {
    database.close();
  }
}

async function firstPage(
  bench: Bench,
): Promise<{ milliseconds: number; usual: number[]; meanwhile: number[] }> {
  const world = bench.largest;
  const drawer = bench.drawerOf(world);
  const server = await serve(world, { log: bench.log });
  try {
    const other = (): string => drawer.fresh(drawer.anywhere(3), 1)[0] ?? "";
    const open = (): string => drawer.fresh(drawer.anywhere(6), 1)[0] ?? "";
    for (let page = 0; page < WARM; page += 1) {
      await ask(new URL(page % 2 === 0 ? other() : open(), server.url), world.token);
    }
    const usual = await pace(
      server,
      world.token,
      other,
      new Promise((resolve) => setTimeout(resolve, USUAL)),
    );
    const { space: id, role, keepers } = world.marks.sparse;
    const url = new URL(urlOf({ endpoint: 3, id, role, limit: LIMIT }, world.revision), server.url);
    const begin = performance.now();
    const answer = ask(url, world.token).then(({ body }) => {
      if (countOf(body) !== keepers.length) throw new Error(`the sparse page has ${countOf(body)} entries`);
      return performance.now() - begin;
    });
    const meanwhile = await pace(server, world.token, other, answer);
    return { milliseconds: await answer, usual, meanwhile };
  } finally {
    await server.stop();
  }
}

/** The CPU of later pages, divided by that of ordinary pages. */
async function laterPages(bench: Bench) {
  const world = bench.largest;
  const drawer = bench.drawerOf(world);
  const server = await bench.serverOf(world);
  const { space: id, role, keepers } = world.marks.sparse;
  // Requests the page before, so that the server has cached the slots with the role.
  await ask(new URL(urlOf({ endpoint: 3, id, role, limit: LIMIT }, world.revision), server.url), world.token);
  const rounds = bench.timing.rounds + 1;
  const batch = Math.min(bench.batch, 100);
  const open = drawer.directory.spaces.filter((space) => space.open);
  const side = { server, token: world.token };
  const [later, ordinary] = await costs([
    {
      ...side,
      name: "later",
      rounds: Array.from({ length: rounds }, () =>
        drawer.fresh((random) => {
          const after = keepers[Math.floor(random() * (keepers.length - 1))];
          return { endpoint: 3, id, role, after };
        }, batch),
      ),
    },
    {
      ...side,
      name: "ordinary",
      rounds: Array.from({ length: rounds }, () =>
        drawer.fresh((random) => {
          const space = open[Math.floor(random() * open.length)]?.id ?? "";
          const after =
            drawer.directory.members[Math.floor(random() * drawer.directory.members.length * 0.9)];
          return { endpoint: 3, id: space, after };
        }, batch),
      ),
    },
  ]);
  return cpuRatio(later, ordinary);
}
