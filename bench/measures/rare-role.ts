/** Pages of a role that only ten of very many candidates have, and of one that nobody has: the first, and later ones. */
import { type Bench, largest } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import { costs, countOf } from "../harness/cost.ts";
import { behind, type Draw, LIMIT } from "../harness/draw.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { urlOf } from "../harness/url.ts";

/** The number of pages that warm up a new server. */
const WARM = 400;

export async function rareRole(bench: Bench, put: Put): Promise<void> {
  const world = largest(bench);
  const drawer = await bench.drawerOf(world);
  const { space: id, role: rare, keepers } = world.marks.sparse;
  const roles = {
    "a role that ten have": { role: rare, count: keepers.length },
    "a role that nobody has": { role: "create", count: 0 },
  };
  for (const [name, { role, count }] of Object.entries(roles)) {
    const draw: Draw = (random) => ({
      endpoint: 3,
      id,
      role,
      after: behind(drawer.directory.model, random),
    });
    const [first, later]: [number[], number[]] = [[], []];
    for (let round = 0; round < bench.rounds; round += 1) {
      // What a server found for a role, it keeps.
      const server = await serve(world, { log: bench.log });
      const side = { server, token: world.token, next: () => drawer.fresh(draw, bench.pages) };
      try {
        for (const page of drawer.fresh(drawer.anywhere(3), WARM))
          await ask(new URL(page, server.url), world.token);
        const before = await server.sample();
        const path = urlOf({ endpoint: 3, id, role, limit: LIMIT }, world.revision);
        const { body } = await ask(new URL(path, server.url), world.token);
        first.push(((await server.sample()).mainCpu - before.mainCpu) / 1000);
        if (countOf(body) !== count) throw new Error(`${name}: the page has ${countOf(body)} entries`);
        const [cost] = await costs({ ...bench, rounds: 1 }, [side]);
        later.push(...(cost?.main ?? []).map((each) => each / 1000));
      } finally {
        await server.stop();
      }
    }
    put(world.size, name, "first page, CPU ms", first);
    put(world.size, name, "later pages, CPU ms", later);
  }
}
