/** A worker is killed: status, /readyz, and imports into organizations on the other one. */
import { expect, test } from "vitest";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { rolebook } from "../command.ts";
import { toLines } from "../oracle/records.ts";
import { World } from "../world.ts";
import { citusPlaces, nodesOfCluster } from "./cluster.ts";
import { acmeAs, importOn, pageOf, Reader } from "./organizations.ts";
import { runDirectly } from "../directly.ts";

test("a worker is gone: what is on it is named, all else goes on, and it comes back by itself", async () => {
  const world = await World.open(() => citusPlaces.open());
  const [, worker, other] = await nodesOfCluster();
  if (worker === undefined || other === undefined) throw new Error("Two workers are needed.");
  await importOn(world, worker.port, acmeAs("lost"));
  const generation = (await world.store.registry.organization("lost"))?.current.generation ?? 0;
  await importOn(world, other.port, acmeAs("kept"));
  // Left over by an import that was killed: the next import deletes its rows, which are on the worker.
  await runDirectly(
    world.store.engine,
    `INSERT INTO generation SELECT ${generation} + 1000000 + g, 'lost' FROM generate_series(1, 8) g`,
  );
  const token = await world.token("lost");
  const reader = new Reader(world, pageOf("kept"), await world.token("kept"));
  const fresh = new World(
    { url: world.url, dispose: async () => {} },
    new Store(await openEngine(world.url), 8 << 20),
    {},
  );
  await worker.kill9();
  try {
    const status = await rolebook(["status", "--database", world.url]);
    expect([status.status, status.stderr]).toEqual([0, ""]);
    expect(status.stdout).toContain("did not answer within a second: lost\n");
    expect(status.stdout).toMatch(new RegExp(`, [\\d.]+ MB, without what is on 127.0.0.1:${worker.port}\n$`));
    for (const each of [world, fresh]) {
      const ready = await each.get("/readyz");
      expect([ready.status, ready.body]).toEqual([
        200,
        JSON.stringify({ status: "ready", organizations: { reachable: 1, unreachable: 1 } }),
      ]);
      const { status: refused, headers } = await each.get(pageOf("lost"), token);
      expect([refused, headers["retry-after"]]).toEqual([503, "1"]);
      expect((await each.get(pageOf("kept"), await world.token("kept"))).status).toBe(200);
    }
    const file = world.file(toLines(acmeAs("kept", " (new)")), "kept.ndjson");
    const imported = await rolebook(["import", file, "--database", world.url]);
    expect([imported.status, imported.stderr]).toEqual([0, expect.stringContaining("Wrote ")]);
    const lost = world.file(toLines(acmeAs("lost", " (new)")), "lost.ndjson");
    const refused = await rolebook(["import", lost, "--database", world.url]);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*The database could not do that: [^\n]*\n$/m),
    ]);
  } finally {
    await worker.start();
  }
  for (const each of [world, fresh]) {
    await expect.poll(async () => (await each.get(pageOf("lost"), token)).status).toBe(200);
    await expect.poll(async () => (await each.get("/readyz")).body).toContain('"unreachable":0');
  }
  await reader.hears(10);
  await reader.stop();
  expect(new Set(reader.answers.map(({ status }) => status))).toEqual(new Set([200]));
  await fresh.close();
  await world.close();
});
