import { expect, test } from "vitest";
import { statement } from "../../../../src/store/engine/engine.ts";
import { rolebookProcess } from "../../../command.ts";
import { Line } from "../../../hostile/ask.ts";
import { usePostgres } from "../../../postgres/use.ts";
import { World } from "../../../world.ts";
import { SHAPE, shape, user } from "../../shape.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { runDirectly } from "../../../directly.ts";

/**
 * Two organizations of one database. One of them is on a node that is slow or lost. PostgreSQL raises the errors that a
 * coordinator passes on from a worker.
 */
const OTHER = "other";
const PAGES = {
  [SHAPE]: "/v1/spaces/wide/permissions/aggregate",
  [OTHER]: `/v1/orgs/${OTHER}/members/o/spaces`,
};

const postgres = usePostgres();

interface Nodes {
  readonly world: World;
  readonly url: string;
  readonly tokens: Readonly<Record<keyof typeof PAGES, string>>;
  /** Runs PL/pgSQL whenever a row of organization `shape` is read. */
  readonly fail: (how: string) => Promise<void>;
}

async function nodes(parameters: string): Promise<Nodes> {
  const place = await postgres.places.open();
  const url = `${place.url}${parameters}`;
  const world = await World.open(async () => ({ ...place, url }), { cacheBytes: 0 });
  const others: SnapshotRecord[] = [
    { object: "organization", id: OTHER, title: "Other" },
    { object: "user", id: "o", displayName: "O" },
    { object: "member", organization: OTHER, user: "o", role: "read" },
  ];
  await world.import(shape(100));
  await world.import(others);
  const lost = (await world.store.registry.organization(SHAPE))?.current.generation;
  const { engine } = world.store;
  const fail = (how: string) =>
    runDirectly(
      engine,
      `
      CREATE OR REPLACE FUNCTION node_of(generation bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
        BEGIN IF generation = ${lost} THEN ${how} END IF; RETURN true; END $$`,
    );
  await fail("NULL;");
  for (const table of ["member_row", "content_row", "revision_row"]) {
    await runDirectly(
      engine,
      `
      ALTER TABLE ${table} RENAME TO ${table}_there;
      CREATE VIEW ${table} AS SELECT * FROM ${table}_there WHERE node_of(generation)`,
    );
  }
  return {
    world,
    url,
    fail,
    tokens: { [SHAPE]: await world.token(SHAPE), [OTHER]: await world.token(OTHER) },
  };
}

/** The advisory lock for which a slow node waits. */
const NODE = 4711;

const BACKENDS = statement<[pid: number]>(
  () => "SELECT pid FROM pg_stat_activity WHERE application_name = 'rolebook' ORDER BY pid",
);

test("a lost node: 503 for its organizations that are not in memory, over the same connections; others are served", async () => {
  const { world, tokens, fail, url } = await nodes("&pool_size=2");
  const get = (of: keyof typeof PAGES) => world.get(PAGES[of], tokens[of]);
  expect((await get(OTHER)).status).toBe(200);
  const before = await world.store.engine.read(BACKENDS);
  await fail("RAISE EXCEPTION 'connection to the remote node w1:5432 failed' USING ERRCODE = '08006';");
  for (let times = 0; times < 5; times++) {
    const { status, body, headers } = await get(SHAPE);
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(body).not.toContain("w1");
    expect((await get(OTHER)).status).toBe(200);
  }
  expect(await world.store.engine.read(BACKENDS)).toEqual(expect.arrayContaining(before));
  const ready = await world.get("/readyz");
  expect([ready.status, JSON.parse(ready.body)]).toEqual([
    200,
    { status: "ready", organizations: { reachable: 1, unreachable: 1 } },
  ]);
  const { stdout } = await rolebookProcess(["status", "--database", url]);
  expect(stdout).toContain(`did not answer within a second: ${SHAPE}\n`);
  await fail("RAISE EXCEPTION 'failure on connection marked as essential: w1:5432' USING ERRCODE = 'XX000';");
  expect([(await get(SHAPE)).status, (await get(OTHER)).status]).toEqual([503, 200]);
  await fail("NULL;");
  expect((await get(SHAPE)).status).toBe(200);
  await world.close();
});

test("a slow node: however many ask, one load waits, and pages of other organizations do not", async () => {
  const { world, tokens, fail } = await nodes("&pool_size=4&statement_timeout=3600000&connect_timeout=600");
  const holding = await postgres.server.connect();
  await holding.query(`SELECT pg_advisory_lock(${NODE})`);
  await fail(`PERFORM pg_advisory_xact_lock_shared(${NODE});`);
  // Requests pages of other members over connections of their own, so that none waits for another in the client, or for
  // what another reads.
  await world.get("/healthz");
  const line = new Line(world.app.addresses()[0]?.port ?? 0, 20);
  const headers = { authorization: `Bearer ${tokens[SHAPE]}` };
  const slow = Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      line.ask({ method: "GET", target: `/v1/orgs/${SHAPE}/members/${user(index)}/spaces`, headers }),
    ),
  );
  const waiting = async () =>
    (await postgres.server.query("SELECT FROM pg_stat_activity WHERE wait_event = 'advisory'")).length;
  await expect.poll(waiting).toBe(1);
  for (let times = 0; times < 5; times++) {
    expect((await world.get(PAGES[OTHER], tokens[OTHER])).status).toBe(200);
  }
  expect(await waiting()).toBe(1);
  await holding.end();
  for (const { status } of await slow) expect(status).toBe(200);
  line.close();
  await world.close();
});

test("a change that its node does not show: exit status 4, and the revision before it", async () => {
  const world = await World.open(() => postgres.places.open());
  await world.import(shape(10));
  const token = await world.token(SHAPE);
  await runDirectly(
    world.store.engine,
    `
    CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER lost BEFORE INSERT ON revision_row FOR EACH ROW EXECUTE FUNCTION lost()`,
  );
  const file = world.file(
    `{"object":"changes","organization":"${SHAPE}"}\n{"object":"organization","id":"${SHAPE}","title":"New"}\n`,
  );
  const { status, stdout, stderr } = await rolebookProcess([
    "apply",
    file,
    "--format",
    "ndjson",
    "--database",
    world.url,
  ]);
  expect([status, JSON.parse(stdout.trim().split("\n").at(-1) ?? "")]).toEqual([
    4,
    expect.objectContaining({ outcome: "committed" }),
  ]);
  expect(stderr).toContain(`Revision 2 of organization ${SHAPE} is committed`);
  expect((await world.get(PAGES[SHAPE], token)).headers["x-rolebook-revision"]).toBe("1");
  await world.close();
});
