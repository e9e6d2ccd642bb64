/** The message that commits a prepared transaction on a worker is lost. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { rolebook } from "../command.ts";
import { toLines } from "../oracle/records.ts";
import { World } from "../world.ts";
import { citusPlaces, nodesOfCluster } from "./cluster.ts";
import { type CommitProxy, startCommitProxy } from "./commit-proxy.ts";
import { acmeAs, importOn, lookForPrepared, pageOf, Reader, redirect } from "./organizations.ts";

const NEW = " (new)";
/** The organization on the other worker. */
const THERE = "there";

let proxies: CommitProxy[];
let ports: Map<number, number>;
let world: World;

beforeAll(async () => {
  const [, ...workers] = await nodesOfCluster();
  proxies = await Promise.all(workers.map(({ port }) => startCommitProxy(port)));
  ports = new Map(workers.map(({ port }, index) => [port, proxies[index]?.port ?? 0]));
  await redirect(ports);
  world = await World.open(() => citusPlaces.open());
  await importOn(world, proxies[1]?.port ?? 0, acmeAs(THERE));
});
afterAll(async () => {
  await world.close();
  await redirect(new Map([...ports].map(([from, to]) => [to, from])));
  await lookForPrepared("10s");
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
});

/** A new organization on the first worker, and the revision that it has. */
async function organizationHere(id: string): Promise<{ proxy: CommitProxy; revision: number }> {
  const [proxy] = proxies;
  if (proxy === undefined) throw new Error("There is no worker.");
  await importOn(world, proxy.port, acmeAs(id));
  const found = await world.store.registry.organization(id);
  return { proxy, revision: found?.current.revision ?? 0 };
}

/** A change file that changes the titles of all spaces. */
function changed(id: string): string {
  const spaces = acmeAs(id, NEW).filter(({ object }) => object === "space");
  const header = JSON.stringify({ object: "changes", organization: id });
  return `${header}\n${toLines(spaces)}`;
}

// An import writes its rows before the transaction that publishes it, which then commits on one worker at once.
test("a change file whose commit is lost: every answer is of one revision, and the new one comes by itself", async () => {
  const here = "here-apply";
  const { proxy, revision } = await organizationHere(here);
  await lookForPrepared("-1");
  const readers = await Promise.all(
    [here, THERE].map(async (id) => new Reader(world, pageOf(id), await world.token(id))),
  );
  const run = (...more: string[]) =>
    rolebook(["apply", world.file(changed(here), "change.ndjson"), "--database", world.url, ...more]);
  await Promise.all(readers.map((each) => each.hears(10)));
  proxy.cutCommits = true;
  proxy.cut = 0;
  const { status, stderr } = await run();
  proxy.cutCommits = false;
  expect([status, stderr]).toEqual([
    4,
    expect.stringContaining(`of organization ${here} is committed, but its node does not show it yet`),
  ]);
  expect(proxy.cut).toBe(1);
  // A server that starts now answers from the revision before, too; and no command writes on top of it.
  const later = new World(
    { url: world.url, dispose: async () => {} },
    new Store(await openEngine(world.url), 8 << 20),
    {},
  );
  const { status: there, headers, body } = await later.get(pageOf(here), await world.token(here));
  expect([there, headers["x-rolebook-revision"], body.includes(NEW)]).toEqual([200, `${revision}`, false]);
  const again = await run();
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("nothing was changed")]);
  await lookForPrepared("1s");
  await expect.poll(async () => (await later.get(pageOf(here), await world.token(here))).body).toContain(NEW);
  await Promise.all(readers.map((each) => each.hears(10)));
  for (const each of readers) await each.stop();
  const [own, others = []] = readers.map(({ answers }) => answers);
  const seen = own?.map(({ status, headers, body }) =>
    JSON.stringify([status, Number(headers["x-rolebook-revision"]), body.includes(NEW)]),
  );
  expect([...new Set(seen)]).toEqual([`[200,${revision},false]`, `[200,${revision + 1},true]`]);
  expect(new Set(others.map((answer) => answer.status))).toEqual(new Set([200]));
  await later.close();
});

test("a commit that is lost for a second delays the command, which then succeeds", async () => {
  const id = "here-for-a-second";
  const { proxy, revision } = await organizationHere(id);
  await lookForPrepared("1s");
  const token = await world.token(id);
  const file = world.file(changed(id), "change.ndjson");
  proxy.cutCommits = true;
  proxy.cut = 0;
  const applied = rolebook(["apply", file, "--database", world.url]);
  await expect.poll(() => proxy.cut).toBeGreaterThan(0);
  proxy.cutCommits = false;
  expect((await applied).status).toBe(0);
  const { headers, body } = await world.get(pageOf(id), token);
  expect([headers["x-rolebook-revision"], body.includes(NEW)]).toEqual([`${revision + 1}`, true]);
});
