/** An import on PostgreSQL: temporary tables in the session that holds the import lock, filled by COPY. */
import { CommandError } from "../../../domain/error.ts";
import { revisionIn, rowsUpTo } from "../../schema/as-of.ts";
import {
  type SqlValue,
  type Batches,
  type Connection,
  type Engine,
  type SqlParameter,
  type Staging,
  type Statement,
  type UpTo,
} from "../engine.ts";
import { POSTGRES, PostgresConnection, fetchAll, sendable } from "./connection.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from } from "pg-copy-streams";

/**
 * After this many written or deleted rows, a table is vacuumed at once: its space is reused, index-only scans work, and
 * the planner knows its size. Smaller changes wait for autovacuum.
 */
const MANY_ROWS = 1000;

/** Staged tables are temporary tables of the session that holds the import lock. */
export class PostgresStaging extends PostgresConnection implements Staging {
  readonly #engine: Pick<Engine, "answers">;
  readonly #client: Client;
  readonly #commit: Staging["transaction"];
  /** The number of rows that this import wrote to each table. */
  readonly #written = new Map<string, number>();

  constructor(engine: Pick<Engine, "answers">, client: Client, commit: Staging["transaction"]) {
    super(client);
    this.#engine = engine;
    this.#client = client;
    this.#commit = commit;
  }

  stream<Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): AsyncIterable<Row> {
    // `WITH HOLD`, because an import reads staged rows outside a transaction.
    const declaration = `CURSOR WITH HOLD FOR ${wanted.sql(POSTGRES)}`;
    return fetchAll(this.#client, "staged_rows", declaration, sendable(parameters));
  }

  async create(table: string, columns: string): Promise<void> {
    await this.script(`CREATE TEMPORARY TABLE ${table} (${columns})`);
  }

  async createAs(table: string, select: string, indexed?: string): Promise<void> {
    await this.script(`CREATE TEMPORARY TABLE ${table} AS ${select}; ANALYZE ${table}`);
    if (indexed !== undefined) await this.script(`CREATE INDEX ON ${table} (${indexed})`);
  }

  append(table: string, columns: number, values: readonly SqlValue[]): Promise<void> {
    return copyInto(this.#client, table, columns, values);
  }

  async insert(table: string, batches: Batches, progress: (rows: number) => void): Promise<void> {
    let written = 0;
    for await (const batch of batches) {
      await copyInto(this.#client, table, batch[0]?.length ?? 0, batch.flat());
      progress(batch.length);
      written += batch.length;
    }
    this.#written.set(table, (this.#written.get(table) ?? 0) + written);
    await this.#tidy(table, written);
  }

  async mustHaveWritten(generations: readonly number[]): Promise<void> {
    for (const [table, written] of this.#written) {
      let found = 0;
      for (const generation of generations) {
        const sql = `SELECT count(*)::int AS rows FROM ${table} WHERE generation = ${generation}`;
        const { rows } = await this.#client.query<{ rows: number }>(sql);
        found += rows[0]?.rows ?? 0;
      }
      if (found === written) continue;
      throw new CommandError(
        `Of ${written} rows that were written to ${table}, ${found} are there; nothing was changed, run the import again.`,
      );
    }
  }

  async erase(
    table: string,
    generation: number,
    upTo?: UpTo,
    progress: (rows: number) => void = () => {},
  ): Promise<void> {
    const parameters = upTo === undefined ? [generation] : [generation, revisionIn(upTo)];
    const { rowCount } = await this.#client.query(
      `DELETE FROM ${table} WHERE ${rowsUpTo(upTo, "$1", "$2")}`,
      parameters,
    );
    progress(rowCount ?? 0);
    await this.#tidy(table, rowCount);
  }

  answers(generation: number): Promise<boolean> {
    return this.#engine.answers(generation);
  }

  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#commit(work);
  }

  async #tidy(table: string, rows: number | null): Promise<void> {
    if ((rows ?? 0) >= MANY_ROWS) await this.script(`VACUUM (ANALYZE) ${table}`);
  }
}

/** Characters that must be escaped in COPY's text format. */
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function copyText(column: SqlValue): string {
  if (column === null) return "\\N";
  if (typeof column === "number") return String(column);
  return column instanceof Uint8Array
    ? `\\\\x${Buffer.from(column).toString("hex")}`
    : column.replaceAll(SPECIAL, (found) => ESCAPES[found] ?? found);
}

/**
 * Appends rows to a table by COPY. `values` has the columns of the first row, then those of the second row, and so on.
 */
async function copyInto(
  client: Client,
  table: string,
  columns: number,
  values: readonly SqlValue[],
): Promise<void> {
  let text = "";
  for (const [index, value] of values.entries()) {
    text += copyText(value) + ((index + 1) % columns === 0 ? "\n" : "\t");
  }
  await pipeline(Readable.from([text]), client.query(from(`COPY ${table} FROM STDIN`)));
}
