import { afterAll, expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { World } from "../world.ts";
import { nodesOfCluster } from "./cluster.ts";
import { OperatedDatabase, OWNER, SERVER, SETTINGS } from "./operated.ts";
import { pageOf } from "./organizations.ts";
import { runDirectly } from "../directly.ts";

const ACME = new URL("../../examples/acme.ndjson", import.meta.url).pathname;

let database: OperatedDatabase | undefined;
afterAll(() => database?.drop(true));

test("an operator sets up a cluster, imports, serves, adds a worker, moves an organization, and backs up", async () => {
  const [coordinator = 0, one = 0, other = 0] = (await nodesOfCluster()).map(({ port }) => port);
  database = await OperatedDatabase.create("operated", coordinator, [one]);
  const [owner, server] = [database.url(OWNER), database.url(SERVER)];
  const done = async (...args: string[]) => {
    const { status, stdout, stderr } = await rolebook([...args, "--database", owner]);
    expect([status, stderr], args.join(" ")).toEqual([0, expect.any(String)]);
    return stdout;
  };
  await done("database", "migrate");
  await database.distribute();
  await settingsTakeEffect(database, [coordinator, one]);

  // Everything is as on PostgreSQL: the owner imports and makes tokens, the other role serves.
  await done("import", ACME);
  const token = (await done("token", "create", "--organization", "acme")).trim();
  const world = await World.open(async () => ({ url: server, dispose: async () => {} }), { cacheBytes: 0 });
  const before = await world.walk(pageOf("acme"), token);
  expect(before.length).toBeGreaterThan(2);
  // A server notes the use of a token, and can write no table with access.
  await expect(
    runDirectly(world.store.engine, "DELETE FROM revision_row WHERE generation = 1"),
  ).rejects.toThrow(/permission denied/);
  expect(await done("status")).toMatch(/^database .*, [\d.]+ MB$/m);

  await database.addWorker(other);
  expect(await portOfAcme(database)).toBe(one);
  await database.move(other);
  expect(await portOfAcme(database)).toBe(other);
  expect(await world.walk(pageOf("acme"), token, [2])).toEqual(before);
  await settingsTakeEffect(database, [coordinator, one, other]);
  await done("verify");
  await database.createRestorePoint();
  await world.close();
});

/** Every node gives both roles the settings of the document. */
async function settingsTakeEffect(database: OperatedDatabase, ports: readonly number[]): Promise<void> {
  expect(SETTINGS.length).toBeGreaterThan(6);
  for (const port of ports) {
    for (const { role, name, value } of SETTINGS) {
      const [row] = await database.run(`SELECT current_setting('${name}') AS value`, role, port);
      expect([port, role, name, row]).toEqual([port, role, name, { value }]);
    }
  }
}

async function portOfAcme(database: OperatedDatabase): Promise<unknown> {
  const [row] = await database.run(
    `SELECT n.nodeport AS port FROM organization o JOIN revision r ON r.revision = o.revision
       CROSS JOIN LATERAL get_shard_id_for_distribution_column('member_row', r.generation) s (shard)
       JOIN pg_dist_placement p ON p.shardid = s.shard JOIN pg_dist_node n ON n.groupid = p.groupid
       WHERE o.id = 'acme'`,
  );
  return row?.["port"];
}
