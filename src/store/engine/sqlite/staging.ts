/**
 * An import on SQLite: staged tables in a file of their own, and writes of generations in short transactions, between
 * which other processes can write.
 */
import { limit } from "../../limit.ts";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Batches, Connection, Engine, SqlValue, Staging, UpTo } from "../engine.ts";
import { revisionIn, rowsUpTo } from "../../schema/as-of.ts";
import { SqliteConnection, beginImporting, endImporting } from "./connection.ts";
import { createForSqlite } from "./file.ts";

/** Rows per INSERT, so that SQLite is called less often. SQLite's limit is 32,766 parameters. */
const ROWS_A_STATEMENT = limit("staging.rows-a-statement", 64);
/** Rows per transaction of a long write. Other processes can write between two transactions. */
const ROWS_A_BATCH = limit("staging.rows-a-batch", 20_000);
/** The milliseconds between two pauses of a long write, so that a writer waits for some tenths of a second at most. */
const STRETCH = 100;
/** Rows per transaction if the rows are scattered over a table. */
const SCATTERED = limit("staging.scattered", 2_000);
/** The length of a pause in a long write, in milliseconds. Waiting commands try every 2 ms. */
const PAUSE = 5;

/**
 * Staged tables in a separate file, so that staging does not lock the database. The file is attached to the database on
 * first use: a change stages nothing, and attaching a file makes SQLite prepare every statement again.
 */
export class SqliteStaging extends SqliteConnection implements Staging {
  readonly #database: DatabaseSync;
  readonly #engine: SqliteConnection & Pick<Engine, "transaction">;
  readonly #file: string;
  readonly #inserts = new Map<string, StatementSync>();
  #isAttached = false;

  constructor(database: DatabaseSync, engine: SqliteConnection & Pick<Engine, "transaction">, file: string) {
    super(database, engine);
    this.#database = database;
    this.#engine = engine;
    this.#file = file;
  }

  end(): void {
    if (this.#isAttached) endImporting(this.#database);
    this.#isAttached = false;
  }

  #attach(): void {
    if (this.#isAttached) return;
    createForSqlite(this.#file);
    this.#database.prepare("ATTACH ? AS staging").run(this.#file);
    this.#isAttached = true;
    beginImporting(this.#database);
  }

  async create(table: string, columns: string): Promise<void> {
    this.#attach();
    this.#database.exec(`CREATE TABLE staging.${table} (${columns})`);
  }

  async createAs(table: string, select: string, indexed?: string): Promise<void> {
    this.#attach();
    this.#database.exec(`CREATE TABLE staging.${table} AS ${select}`);
    if (indexed !== undefined)
      this.#database.exec(`CREATE INDEX staging.${table}_by ON ${table} (${indexed})`);
  }

  async append(table: string, columns: number, values: readonly SqlValue[]): Promise<void> {
    this.#database.exec("BEGIN");
    this.#append(`staging.${table}`, columns, values);
    this.#database.exec("COMMIT");
  }

  #append(table: string, columns: number, values: readonly SqlValue[]): void {
    const many = columns * ROWS_A_STATEMENT;
    const whole = values.length - (values.length % many);
    for (let at = 0; at < whole; at += many) {
      this.#appender(table, columns, ROWS_A_STATEMENT).run(...values.slice(at, at + many));
    }
    for (let at = whole; at < values.length; at += columns) {
      this.#appender(table, columns, 1).run(...values.slice(at, at + columns));
    }
  }

  async insert(table: string, batches: Batches, progress: (rows: number) => void): Promise<void> {
    const pause = pauses();
    for await (const batch of batches) {
      this.#database.exec("BEGIN IMMEDIATE");
      // Few values at once: garbage of the size of a batch would outlive it.
      for (let at = 0; at < batch.length; at += ROWS_A_STATEMENT)
        this.#append(`main.${table}`, batch[0]?.length ?? 0, batch.slice(at, at + ROWS_A_STATEMENT).flat());
      this.#database.exec("COMMIT");
      progress(batch.length);
      await pause();
    }
  }

  /** Does nothing: on SQLite, committed rows are always visible. */
  async mustHaveWritten(): Promise<void> {}

  async answers(): Promise<boolean> {
    return true;
  }

  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#engine.transaction(work);
  }

  async erase(
    table: string,
    generation: number,
    upTo?: UpTo,
    progress: (rows: number) => void = () => {},
  ): Promise<void> {
    const keys = this.#primaryKey(table);
    const rows = rowsUpTo(upTo, "?1", "?2");
    // The rows of a generation are adjacent, so each batch is one range of the table.
    const order = upTo === undefined ? `ORDER BY ${keys}` : "";
    const batch = this.#database.prepare(
      `DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM ${table} WHERE ${rows} ${order} LIMIT ?3)`,
    );
    const pause = pauses();
    const [revision, many] = upTo === undefined ? [null, ROWS_A_BATCH] : [revisionIn(upTo), SCATTERED];
    for (;;) {
      const rows = Number(batch.run(generation, revision, many).changes);
      if (rows === 0) return;
      progress(rows);
      await pause();
    }
  }

  #primaryKey(table: string): string {
    const columns = this.#database
      .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
      .all(table);
    return columns.map(({ name }) => String(name)).join(", ");
  }

  #appender(table: string, columns: number, rows: number): StatementSync {
    const key = `${table} ${rows}`;
    let insert = this.#inserts.get(key);
    if (insert === undefined) {
      const row = `(${Array.from({ length: columns }, () => "?").join(", ")})`;
      insert = this.#database.prepare(
        `INSERT INTO ${table} VALUES ${Array.from({ length: rows }, () => row).join(", ")}`,
      );
      this.#inserts.set(key, insert);
    }
    return insert;
  }
}

/**
 * Returns a function to call after each transaction of a long write. It pauses for {@link PAUSE} ms if the last pause
 * ended {@link STRETCH} ms ago or earlier.
 */
function pauses(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < STRETCH) return;
    await sleep(PAUSE);
    begun = performance.now();
  };
}
