/** What docs/scale.md tells an operator of Citus to do, done statement by statement on the nodes that run here. */
import { Client, type QueryResultRow } from "pg";
import { textOf } from "../examples/acme.ts";

const text = textOf("docs/scale.md");
const CITUS = text.slice(text.indexOf("## Citus"), text.indexOf("## Ten, a hundred"));
/** The blocks of SQL, in the order in which an operator runs them. */
const [ON_ALL = "", NODES = "", TABLES = "", ADDED = "", MOVE = "", POINT = ""] = [
  ...CITUS.matchAll(/```sql\n([\s\S]*?)```/g),
].map(([, sql]) => sql);

/** The addresses of the document: of the coordinator, of the workers that it begins with, and of the one added later. */
const COORDINATOR = "10.0.0.1";
const WORKERS = ["10.0.0.2", "10.0.0.3"];
const LATER = "10.0.0.4";

export const OWNER = "rolebook_import";
export const SERVER = "rolebook";
export const SETTINGS = [...NODES.matchAll(/^ALTER ROLE (\w+) SET (\w+) = (\w+);$/gm)].map(
  ([, role = "", name = "", value = ""]) => ({ role, name, value }),
);

/** A database on nodes of 127.0.0.1, in the place of the database `rolebook` of the document. */
export class OperatedDatabase {
  readonly name: string;
  readonly #coordinator: number;
  readonly #ports: number[];

  private constructor(name: string, coordinator: number) {
    this.name = name;
    this.#coordinator = coordinator;
    this.#ports = [coordinator];
  }

  /** Prepares the nodes and the roles. Without a worker, the coordinator alone is a plain PostgreSQL. */
  static async create(
    name: string,
    coordinator: number,
    workers: readonly number[],
  ): Promise<OperatedDatabase> {
    const database = new OperatedDatabase(name, coordinator);
    await database.#prepare(coordinator);
    const nodes = new Map([[COORDINATOR, coordinator]]);
    for (const [index, port] of workers.entries()) {
      await database.#prepare(port);
      nodes.set(WORKERS[index] ?? "", port);
    }
    const absent = WORKERS.slice(workers.length);
    const lines = NODES.split("\n").filter((line) => !absent.some((address) => line.includes(address)));
    for (const sql of database.#statements(lines.join("\n"), nodes)) await database.run(sql);
    return database;
  }

  /** The URL on the coordinator, or on the node at `port`, for a role. */
  url(role: string, port = this.#coordinator): string {
    return urlOf(port, role, this.name);
  }

  /** Distributes the tables, which the owner has migrated, if there is a worker, and lets the other role read them. */
  async distribute(): Promise<void> {
    for (const sql of this.#statements(TABLES)) {
      if (this.#ports.length > 1 || !sql.includes("create_distributed_table")) await this.run(sql, OWNER);
    }
  }

  async addWorker(port: number): Promise<void> {
    await this.#prepare(port);
    for (const sql of this.#statements(ADDED, new Map([[LATER, port]]))) await this.run(sql);
  }

  /** Moves the rows of organization `acme` to the worker at `port`. */
  async move(port: number): Promise<void> {
    for (const sql of this.#statements(MOVE, new Map([[LATER, port]]))) await this.run(sql);
  }

  async createRestorePoint(): Promise<void> {
    for (const sql of this.#statements(POINT)) await this.run(sql);
  }

  /** Runs a statement, by default as a superuser on the coordinator. Returns the rows. */
  run(sql: string, role = "postgres", port?: number): Promise<Record<string, unknown>[]> {
    return runAt(this.url(role, port), sql);
  }

  /** Removes the database from all nodes. The roles, which other databases may have, are removed with `roles`. */
  async drop(roles = false): Promise<void> {
    for (const port of this.#ports) {
      await runAt(urlOf(port, "postgres", "postgres"), `DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`);
    }
    if (!roles) return;
    for (const port of this.#ports) {
      for (const role of [SERVER, OWNER]) {
        const sql = `SET citus.enable_ddl_propagation = off; DROP ROLE IF EXISTS ${role}`;
        await runAt(urlOf(port, "postgres", "postgres"), sql);
      }
    }
  }

  /** One statement in any database of the node, and one in the new database. */
  async #prepare(port: number): Promise<void> {
    const [create = "", extension = ""] = this.#statements(ON_ALL);
    if (!this.#ports.includes(port)) this.#ports.push(port);
    await runAt(urlOf(port, "postgres", "postgres"), create);
    await runAt(this.url("postgres", port), extension);
  }

  /** The statements of a block, for the nodes that run here. */
  #statements(sql: string, nodes: ReadonlyMap<string, number> = new Map()): string[] {
    let own = sql.replaceAll(/--.*$/gm, "").replaceAll("DATABASE rolebook", `DATABASE ${this.name}`);
    for (const [address, port] of nodes) own = own.replaceAll(`'${address}', 5432`, `'127.0.0.1', ${port}`);
    if (/10\.0\.0|5432/.test(own)) throw new Error(`a node is unknown: ${own}`);
    return own
      .split(/;\s*\n/)
      .map((each) => each.trim())
      .filter((each) => each !== "");
  }
}

function urlOf(port: number, role: string, database: string): string {
  return `postgres://${role}@127.0.0.1:${port}/${database}`;
}

/** Runs one statement over a new connection, or several without values. Returns the rows. */
export async function runAt<Row extends QueryResultRow>(
  connectionString: string,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
