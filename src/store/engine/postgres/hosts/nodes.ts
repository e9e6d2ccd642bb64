import type { ClientBase } from "pg";

/** How long a known node is trusted, in milliseconds: an operator may move rows to another node. */
const TRUSTED = 60_000;

const IS_DISTRIBUTED = `SELECT CAST(to_regclass('pg_dist_placement') IS NOT NULL AS int)`;
const NODE = `
  SELECT p.groupid FROM pg_dist_placement p
    WHERE p.shardid = get_shard_id_for_distribution_column('applied', CAST($1 AS bigint))`;

/** The nodes of a distributed PostgreSQL (Citus) with the rows of generations, as its coordinator names them. */
export class Nodes {
  readonly #use: <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>;
  readonly #known = new Map<number, { readonly node: string; readonly until: number }>();
  readonly #asking = new Set<number>();
  #isDistributed: boolean | undefined;

  constructor(use: <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>) {
    this.#use = use;
  }

  /**
   * The node with the rows of a generation. Never waits: until the node is known, and on a single server, each
   * generation counts as a node of its own.
   */
  of(generation: number): string {
    if (this.#isDistributed === false) return `generation ${generation}`;
    const known = this.#known.get(generation);
    if (known === undefined || known.until < performance.now()) void this.#ask(generation);
    return known?.node ?? `generation ${generation}`;
  }

  async #ask(generation: number): Promise<void> {
    if (this.#asking.has(generation)) return;
    this.#asking.add(generation);
    try {
      this.#isDistributed ??= (await this.#use((client) => firstOf(client, IS_DISTRIBUTED))) === 1;
      if (!this.#isDistributed) return;
      const node = await this.#use((client) => firstOf(client, NODE, [generation]));
      this.#known.set(generation, { node: `node ${node}`, until: performance.now() + TRUSTED });
    } catch {
      // The next statement of the generation asks again.
    } finally {
      this.#asking.delete(generation);
    }
  }
}

async function firstOf(client: ClientBase, text: string, values: unknown[] = []): Promise<unknown> {
  const { rows } = await client.query<unknown[]>({ text, values, rowMode: "array" });
  return rows[0]?.[0];
}
