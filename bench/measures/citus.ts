/**
 * Many organizations on Citus, with two servers in front: what coordinator, workers and servers spend on a page, with no
 * worker, one and two. Needs a script that starts a cluster in ROLEBOOK_TEST_CITUS. On one machine, the nodes share the
 * cores: what counts is CPU and statements a page, not the rate. Linux only.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatedDatabase, OWNER, SERVER } from "../../test/citus/operated.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { hash, mulberry32, pick } from "../data/random.ts";
import type { Bench } from "../harness/bench.ts";
import { familyCpu } from "../harness/family-cpu.ts";
import type { Put } from "../harness/result.ts";
import { rolebook, serve } from "../harness/rolebook.ts";
import { ENDPOINTS } from "../harness/url.ts";
import type { World } from "../harness/world.ts";

/** How many organizations of the smallest size there are, an even number; of each larger size there is one. */
const ORGANIZATIONS = 100;
const CONNECTIONS = 8;
/** How often Citus and PostgreSQL report what ended sessions and idle ones have done, in milliseconds. */
const REPORTED = 11_000;

interface Organization {
  readonly id: string;
  readonly world: World;
  readonly token: string;
}

export async function citus({ worlds, pages, rounds, drawerOf, lines }: Bench, put: Put): Promise<void> {
  const script = process.env.ROLEBOOK_TEST_CITUS;
  if (script === undefined || script.startsWith("postgres")) {
    throw new Error("ROLEBOOK_TEST_CITUS names no script that starts a cluster");
  }
  const parent = mkdtempSync("/tmp/bench-citus-");
  chmodSync(parent, 0o755);
  const folder = join(parent, "cluster");
  const cluster = (...args: string[]) => execFileSync(script, args, { encoding: "utf8" }).trim();
  const port = Number(new URL(cluster(folder)).port);
  try {
    const nodes = ["coordinator", "worker1", "worker2"].map((name, index) => ({
      port: port + index,
      pid: Number(readFileSync(join(folder, name, "postmaster.pid"), "utf8").split("\n")[0]),
    }));
    for (const workers of [0, 1, 2]) {
      const own = nodes.slice(0, 1 + workers);
      const database = await OperatedDatabase.create(
        `bench_${workers}`,
        port,
        own.slice(1).map((node) => node.port),
      );
      await rolebook("database", "migrate", "--database", database.url(OWNER));
      await database.distribute();
      const of =
        workers === 0
          ? "one PostgreSQL"
          : `a coordinator and ${workers} ${workers === 1 ? "worker" : "workers"}`;
      const before = own.reduce((sum, { pid }) => sum + familyCpu(pid), 0);
      const organizations = await importAll({ database, worlds, lines, of }, put);
      const used = own.reduce((sum, { pid }) => sum + familyCpu(pid), 0) - before;
      put("S", of, "import, CPU s of the nodes", used / 1e6);
      put("S", of, "organizations", organizations.length);
      await pagesOf({ database, own, of, organizations, pages, rounds, drawerOf }, put);
      await database.drop(true);
    }
  } finally {
    cluster("--remove", folder);
    rmSync(parent, { recursive: true });
  }
}

interface Importing extends Pick<Bench, "worlds" | "lines"> {
  readonly database: OperatedDatabase;
  readonly of: string;
}

/**
 * Imports the organizations, and makes a token of each: half of the small ones one after the other, the other half two at
 * once, then the large ones.
 */
async function importAll({ database, worlds, lines, of }: Importing, put: Put): Promise<Organization[]> {
  const [small, ...large] = worlds;
  const organizations: Organization[] = [];
  const importOne = async (world: World) => {
    const id = `o${organizations.length}`;
    organizations.push({ id, world, token: "" });
    const index = organizations.length - 1;
    const own = readFileSync(world.file, "utf8").replaceAll(`"${ORGANIZATION}"`, `"${id}"`);
    const file = lines(`${id}.ndjson`, [own.trimEnd()]);
    await rolebook("import", "--database", database.url(OWNER), file);
    rmSync(file);
    const token = await rolebook("token", "create", "--database", database.url(OWNER), "--organization", id);
    organizations[index] = { id, world, token };
  };
  const many = async (together: number) => {
    const began = performance.now();
    for (let each = 0; each < ORGANIZATIONS / 2; each += together) {
      await Promise.all(Array.from({ length: together }, () => importOne(small)));
    }
    return (performance.now() - began) / 1000 / (ORGANIZATIONS / 2);
  };
  put("S", of, "imports one after the other, s each", await many(1));
  put("S", of, "two imports at once, s each", await many(2));
  for (const world of large) await importOne(world);
  return organizations;
}

interface Asking extends Pick<Bench, "pages" | "rounds" | "drawerOf"> {
  readonly database: OperatedDatabase;
  readonly own: readonly { readonly port: number; readonly pid: number }[];
  readonly of: string;
  readonly organizations: readonly Organization[];
}

/** First pages, never asked for before, of random endpoints and organizations, over both servers in turn. */
async function pagesOf(
  { database, own, of, organizations, pages, rounds, drawerOf }: Asking,
  put: Put,
): Promise<void> {
  const servers = [await serve({ url: database.url(SERVER) }), await serve({ url: database.url(SERVER) })];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const random = mulberry32(hash(1, 92, own.length));
  const round = async () => {
    const asked: { path: string; token: string }[] = [];
    while (asked.length < pages) {
      const { id, world, token } = pick(random, organizations);
      const drawer = await drawerOf(world);
      const endpoint = pick(random, ENDPOINTS);
      const draw = drawer.anywhere(endpoint);
      // The revisions of the organizations differ, so a page that goes on after another has no address here.
      const [url = ""] = drawer.fresh((drawn) => ({ ...draw(drawn), after: undefined }), 1);
      asked.push({ path: url.replace(`/orgs/${ORGANIZATION}/`, `/orgs/${id}/`), token });
    }
    let next = 0;
    const ask = async () => {
      for (let index = next++; index < asked.length; index = next++) {
        const { path = "", token = "" } = asked[index] ?? {};
        await get(agent, `${servers[index % servers.length]?.url}${path}`, token);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  };
  try {
    await round();
    await sleep(REPORTED);
    const cpu: number[][] = own.map(() => []);
    const ofServers: number[] = [];
    const statements = await statementsOf(database, own);
    for (let index = 0; index < rounds; index++) {
      const before = own.map(({ pid }) => familyCpu(pid));
      const servedBefore = await Promise.all(servers.map((server) => server.sample()));
      await round();
      const served = await Promise.all(servers.map((server) => server.sample()));
      for (const [node, { pid }] of own.entries())
        cpu[node]?.push((familyCpu(pid) - (before[node] ?? 0)) / pages / 1000);
      const used = served.reduce(
        (sum, { processCpu }, each) => sum + processCpu - (servedBefore[each]?.processCpu ?? 0),
        0,
      );
      ofServers.push(used / pages / 1000);
    }
    await sleep(REPORTED);
    const asked = pages * rounds;
    const after = await statementsOf(database, own);
    put("S", of, "CPU of the servers, ms a page", ofServers);
    put("S", of, "CPU of the coordinator, ms a page", cpu[0] ?? []);
    const workers = cpu.slice(1);
    if (workers.length > 0) {
      put(
        "S",
        of,
        "CPU of all workers, ms a page",
        ofServers.map((_, index) => workers.reduce((sum, each) => sum + (each[index] ?? 0), 0)),
      );
    }
    put("S", of, "statements of the coordinator a page", ((after[0] ?? 0) - (statements[0] ?? 0)) / asked);
  } finally {
    for (const server of servers) await server.stop();
    agent.destroy();
  }
}

/** The transactions that each node has ended: a statement of a page is one. */
function statementsOf(database: OperatedDatabase, own: Asking["own"]): Promise<number[]> {
  return Promise.all(
    own.map(async ({ port }) => {
      const sql = "SELECT xact_commit AS ended FROM pg_stat_database WHERE datname = current_database()";
      const [row] = await database.run(sql, "postgres", port);
      return Number(row?.["ended"]);
    }),
  );
}

function get(agent: Agent, url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url}: ${answer.statusCode}`));
      });
    });
    asked.on("error", reject).end();
  });
}
