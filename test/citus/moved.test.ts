/** An operator moves the rows of organizations to another worker, while readers walk through long lists. */
import { expect, test } from "vitest";
import { MEMBER } from "../store/engine/statements/endpoints.ts";
import { SHAPE, shape } from "../store/shape.ts";
import { textOf } from "../examples/acme.ts";
import { World } from "../world.ts";
import { citusPlaces, query } from "./cluster.ts";
import { portsOf, schemaOf } from "./organizations.ts";

const MEMBERS = 2_000;
const LISTS = ["/v1/spaces/wide/permissions/aggregate", `/v1/orgs/${SHAPE}/members/${MEMBER}/spaces`];
/** The statement of docs/scale.md that moves an organization, with its id and the node to move it to. */
const [MOVE = ""] = /^SELECT citus_move_shard_placement\([^;]*;$/m.exec(textOf("docs/scale.md")) ?? [];

test("walks and changes go on while an organization moves to another worker and back", async () => {
  const world = await World.open(() => citusPlaces.open(), { cacheBytes: 0 });
  await world.import(shape(MEMBERS));
  const token = await world.token(SHAPE);
  const expected = await Promise.all(LISTS.map((path) => world.walk(path, token)));
  const generation = (await world.store.registry.organization(SHAPE))?.current.generation ?? 0;
  const nodes = await query<{ name: string; port: number }>(
    "SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE groupid > 0",
  );
  const moved = new AbortController();
  let walks = 0;
  const walking = LISTS.map(async (path, index) => {
    while (!moved.signal.aborted) {
      expect(await world.walk(path, token, [7, 50])).toEqual(expected[index]);
      walks++;
    }
  });
  for (let moves = 0; moves < 2; moves++) {
    const [from] = await portsOf(world, [generation]);
    const to = nodes.find(({ port }) => port !== from);
    const own = MOVE.replace("'acme'", `'${SHAPE}'`).replace(
      "'10.0.0.4', 5432",
      `'${to?.name}', ${to?.port}`,
    );
    await query(`SET search_path = ${schemaOf(world)}; ${own}`);
    expect(await portsOf(world, [generation])).toEqual([to?.port]);
    const done = walks;
    await expect.poll(() => walks).toBeGreaterThan(done + 2);
  }
  moved.abort();
  await Promise.all(walking);
  await world.import(shape(MEMBERS + 1));
  expect((await world.walk(LISTS[0] ?? "", token)).length).toBeGreaterThan(expected[0]?.length ?? 0);
  await world.close();
});
