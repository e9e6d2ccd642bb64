import { acme } from "../examples/acme.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import type { Answer, World } from "../world.ts";
import { until } from "../setup/until.ts";
import { query } from "./cluster.ts";
import { runDirectly } from "../directly.ts";

/** The page that tests read of an organization which {@link acmeAs} made: the title of every space is on it. */
export const pageOf = (organization: string) => `/v1/orgs/${organization}/members/ivo/spaces`;

/** The records of the example organization under another id. `title` adds to the title of every space. */
export function acmeAs(organization: string, title = ""): SnapshotRecord[] {
  return acme.map((record) => {
    if (record.object === "organization") return { ...record, id: organization };
    if (!("organization" in record)) return record;
    const own = { ...record, organization };
    return own.object === "space" ? { ...own, title: `${own.title}${title}` } : own;
  });
}

/** Imports an organization so that its rows are on the worker at `port`. */
export async function importOn(
  world: World,
  port: number,
  records: readonly SnapshotRecord[],
): Promise<void> {
  const { engine } = world.store;
  const [row] = await query<{ generation: number }>(
    `SELECT g::int AS generation
       FROM ${schemaOf(world)}.counter last CROSS JOIN generate_series(last.value + 1, last.value + 100) g
       JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('${schemaOf(world)}.member_row', g)
       JOIN pg_dist_node n ON n.groupid = p.groupid
       WHERE last.name = 'generation' AND n.nodeport = $1 ORDER BY g LIMIT 1`,
    [port],
  );
  await runDirectly(
    engine,
    `UPDATE counter SET value = ${(row?.generation ?? 1) - 1} WHERE name = 'generation'`,
  );
  await world.import(records);
}

/** The ports of the workers with the rows of generations. */
export async function portsOf(world: World, generations: readonly number[]): Promise<number[]> {
  const rows = await query<{ port: number }>(
    `SELECT n.nodeport AS port FROM unnest($1::bigint[]) WITH ORDINALITY g (generation, number)
       JOIN pg_dist_placement p
         ON p.shardid = get_shard_id_for_distribution_column('${schemaOf(world)}.member_row', g.generation)
       JOIN pg_dist_node n ON n.groupid = p.groupid ORDER BY g.number`,
    [generations],
  );
  return rows.map(({ port }) => port);
}

/** The schema with the tables of a world. */
export function schemaOf({ url }: World): string {
  return /search_path%3D(\w+)/.exec(url)?.[1] ?? "public";
}

/** Sends the coordinator's statements for each worker through another port. */
export async function redirect(ports: ReadonlyMap<number, number>): Promise<void> {
  for (const [from, to] of ports) {
    await query("SELECT citus_update_node(nodeid, nodename, $2) FROM pg_dist_node WHERE nodeport = $1", [
      from,
      to,
    ]);
  }
  await query("SELECT start_metadata_sync_to_all_nodes()");
}

/** Sets how often the coordinator looks for transactions that a worker has prepared, such as `1s`; `-1`: never. */
export async function lookForPrepared(interval: string): Promise<void> {
  await query(`ALTER SYSTEM SET citus.recover_2pc_interval = '${interval}'`);
  await query("SELECT pg_reload_conf()");
}

/** Reads a page again and again until {@link Reader.stop}, and keeps every answer. */
export class Reader {
  readonly answers: Answer[] = [];
  #isOver = false;
  readonly #running: Promise<void>;

  /** Waits `every` milliseconds between an answer and the next request. */
  constructor(world: World, path: string, token: string, every = 5) {
    this.#running = (async () => {
      while (!this.#isOver) {
        this.answers.push(await world.get(path, token));
        await new Promise((resolve) => setTimeout(resolve, every));
      }
    })();
  }

  /** Resolves when it has had `count` more answers. */
  async hears(count: number): Promise<void> {
    const { length } = this.answers;
    await this.#until("the reader is answered", () => this.answers.length >= length + count);
  }

  /** Resolves when it has been refused. */
  async isRefused(): Promise<void> {
    await this.#until("the reader is refused", () => this.answers.some(({ status }) => status !== 200));
  }

  /** Rejects at once if a request gets no answer. */
  async #until(what: string, holds: () => boolean): Promise<void> {
    await Promise.race([until(what, holds), this.#running]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }
}
