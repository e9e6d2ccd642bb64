/** The first page of a role that only ten of very many candidates have, beside an SQL EXCEPT of the same two lists. */
import { type Bench, largest } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import { countOf } from "../harness/cost.ts";
import { LIMIT } from "../harness/draw.ts";
import { pace } from "../harness/pace.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { percentile, ratio } from "../harness/spread.ts";
import { urlOf } from "../harness/url.ts";
import { look, type World } from "../harness/world.ts";

/** The number of pages that warm up a new server, and how long other requests are measured alone, in ms. */
const WARM = 400;
const USUAL = 400;

export async function rareRole(bench: Bench, put: Put): Promise<void> {
  const world = largest(bench);
  const drawer = bench.drawerOf(world);
  const other = (): string => drawer.fresh(drawer.anywhere(3), 1)[0] ?? "";
  const { space: id, role, keepers } = world.marks.sparse;
  const path = urlOf({ endpoint: 3, id, role, limit: LIMIT }, world.revision);
  const [first, bare, usual, meanwhile]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const except = subtract(world);
    const server = await serve(world, { log: bench.log });
    try {
      for (let page = 0; page < WARM; page += 1) await ask(new URL(other(), server.url), world.token);
      const before = await pace(server, world.token, other, new Promise((done) => setTimeout(done, USUAL)));
      const begin = performance.now();
      const answer = ask(new URL(path, server.url), world.token).then(({ body }) => {
        if (countOf(body) !== keepers.length) throw new Error(`the rare page has ${countOf(body)} entries`);
        return performance.now() - begin;
      });
      const beside = await pace(server, world.token, other, answer);
      // Round 0 only reads the file into memory.
      if (round === 0) continue;
      bare.push(except);
      first.push(await answer);
      usual.push(...before);
      meanwhile.push(...beside);
    } finally {
      await server.stop();
    }
  }
  const name = "a role that ten have";
  put(world.size, name, "first page, ms", first);
  put(world.size, name, "EXCEPT, ms", bare);
  put(world.size, name, "first page, × EXCEPT", ratio(first, bare));
  put(
    world.size,
    name,
    "p99 of others meanwhile, × usual",
    percentile(meanwhile, 99) / percentile(usual, 99),
  );
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
