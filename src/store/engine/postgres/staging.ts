import type { Client } from "pg";
import {
  type Column,
  type Connection,
  revisionIn,
  rowsUpTo,
  type Staging,
  type Statement,
  type UpTo,
} from "../engine.ts";
import { PostgresConnection } from "./connection.ts";
import { copyInto } from "./copy.ts";
import { fetchAll } from "./cursor.ts";
import { POSTGRES } from "./dialect.ts";

/**
 * After so many rows were written or deleted, a table is vacuumed at once: space is reused, index-only scans work,
 * and the planner knows the size. Smaller changes wait for autovacuum.
 */
const MANY = 1000;

/** Temporary tables of the session that holds the lock; they end with it. */
export class PostgresStaging extends PostgresConnection implements Staging {
  readonly #client: Client;
  readonly #commit: Staging["transaction"];

  constructor(client: Client, commit: Staging["transaction"]) {
    super(client);
    this.#client = client;
    this.#commit = commit;
  }

  stream<Row extends Column[]>(wanted: Statement<Row>): AsyncIterable<Row> {
    // Of the session, because an import stages its rows outside a transaction.
    return fetchAll(this.#client, "staged_rows", `CURSOR WITH HOLD FOR ${wanted.sql(POSTGRES)}`);
  }

  async create(table: string, columns: string): Promise<void> {
    await this.script(`CREATE TEMPORARY TABLE ${table} (${columns})`);
  }

  async createAs(table: string, select: string): Promise<void> {
    await this.script(`CREATE TEMPORARY TABLE ${table} AS ${select}; ANALYZE ${table}`);
  }

  async index(table: string, columns: string): Promise<void> {
    await this.script(`CREATE INDEX ON ${table} (${columns}); ANALYZE ${table}`);
  }

  async sort(table: string, columns: string): Promise<void> {
    await this.script(
      `CREATE TEMPORARY TABLE sorted AS SELECT * FROM ${table} ORDER BY ${columns};
       DROP TABLE ${table}; ALTER TABLE sorted RENAME TO ${table}`,
    );
    await this.index(table, columns);
  }

  append(table: string, columns: number, values: readonly Column[]): Promise<void> {
    return copyInto(this.#client, table, columns, values);
  }

  async fill(table: string, selects: readonly string[], progress: (rows: number) => void): Promise<void> {
    let rows = 0;
    for (const select of selects) {
      const { rowCount } = await this.#client.query(`INSERT INTO ${table} ${select}`);
      progress(rowCount ?? 0);
      rows += rowCount ?? 0;
    }
    await this.#tidy(table, rows);
  }

  async erase(table: string, generation: number, upTo?: UpTo): Promise<void> {
    const parameters = upTo === undefined ? [generation] : [generation, revisionIn(upTo)];
    const { rowCount } = await this.#client.query(
      `DELETE FROM ${table} WHERE ${rowsUpTo(upTo, "$1", "$2")}`,
      parameters,
    );
    await this.#tidy(table, rowCount);
  }

  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#commit(work);
  }

  async #tidy(table: string, rows: number | null): Promise<void> {
    if ((rows ?? 0) >= MANY) await this.script(`VACUUM (ANALYZE) ${table}`);
  }
}
