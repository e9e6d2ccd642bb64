/**
 * Statements on one open SQLite file: the dialect, prepared statements, the modes of a connection, and what errors mean
 * for the caller.
 */
import { DatabaseFileError } from "../../../domain/error.ts";
import {
  type SqlValue,
  type Connection,
  type Dialect,
  type SqlParameter,
  type Statement,
  isList,
  letter,
} from "../engine.ts";
import { isLongTurn, yieldToEventLoop } from "../../turns.ts";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

export const SQLITE: Dialect = {
  text: "text",
  clustered: "WITHOUT ROWID",
  texts: (parameter, alias) => `json_each(${parameter}) ${alias}`,
  numbers: (parameter, alias) => `json_each(${parameter}) ${alias}`,
  given: (types, first) =>
    `(SELECT ${types.map((_, index) => `$${first + index} AS ${letter(index)}`).join(", ")}) given`,
  isGiven: (columns, _, first) =>
    columns.map((column, index) => `${column} = $${first + index}`).join(" AND "),
  runs: (rows) => rows.map((row) => [...row]),
  // Without statistics, SQLite prefers the primary key even if another index has more of the statement's columns.
  lookUp: (items, table, alias, condition, index) =>
    `${items} CROSS JOIN ${table} ${alias}${index === undefined ? "" : ` INDEXED BY ${index}`} WHERE ${condition}`,
  // A run passes one row.
  first: (given, table, alias, condition, order) =>
    `${given} CROSS JOIN ${table} ${alias} WHERE ${condition} ORDER BY ${order} LIMIT 1`,
  joinedRows: (columns) => `CAST(string_agg(${columns.join(" || char(9) || ")}, char(10)) AS blob)`,
  exists: (table) => `EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${table}')`,
};

interface PreparedStatement {
  readonly statement: StatementSync;
  /**
   * For each placeholder, the index of its parameter. node:sqlite binds parameters in order, while our SQL numbers
   * them.
   */
  readonly order: readonly number[];
}

/** How long statements follow one another before others get a turn, in milliseconds. */
const STATEMENTS = 5;

/** Statements on one open database file. Every call blocks the process until the statement has ended. */
export class SqliteConnection implements Connection {
  readonly dialect = SQLITE;
  readonly remote = false;
  readonly #database: DatabaseSync;
  readonly #prepared: Map<Statement<SqlValue[]>, PreparedStatement>;

  /** `other` is a connection to the same open file. Its prepared statements are reused. */
  constructor(database: DatabaseSync, other?: SqliteConnection) {
    this.#database = database;
    this.#prepared = other === undefined ? new Map() : other.#prepared;
  }

  async read<Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): Promise<Row[]> {
    if (isLongTurn(STATEMENTS) && this.mayWait()) await yieldToEventLoop();
    return this.readNow(wanted, ...parameters);
  }

  /** Whether others may use the connection before its next statement. */
  protected mayWait(): boolean {
    return true;
  }

  async write(wanted: Statement<never>, ...parameters: SqlParameter[]): Promise<number> {
    return this.#run(() => {
      const { statement, order } = this.#prepare(wanted);
      return Number(statement.run(...bind(order, parameters)).changes);
    });
  }

  async writeEach(wanted: Statement<never>, lists: readonly (readonly SqlParameter[])[]): Promise<void> {
    this.#run(() => {
      const { statement, order } = this.#prepare(wanted);
      for (const parameters of lists) statement.run(...bind(order, parameters));
    });
  }

  async script(sql: string): Promise<void> {
    this.#run(() => this.#database.exec(sql));
  }

  /** Does what {@link read} does, without a promise. */
  protected readNow<Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): Row[] {
    return this.#run(() => {
      const { statement, order } = this.#prepare(wanted);
      return rowsOf<Row>(statement.all(...bind(order, parameters)));
    });
  }

  *stream<Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): Iterable<Row> {
    // Prepares the statement anew, because two streams of one statement may be open at once.
    const { statement, order } = this.#run(() => prepare(this.#database, wanted));
    const rows = statement.iterate(...bind(order, parameters));
    for (let row = this.#run(() => rows.next()); !row.done; row = this.#run(() => rows.next()))
      yield* rowsOf<Row>([row.value]);
  }

  /** Runs `work`, and converts errors of the database file to CommandErrors. */
  #run<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw toCommandError(error, this.#database.location() ?? "in memory");
    }
  }

  #prepare(wanted: Statement<SqlValue[]>): PreparedStatement {
    let prepared = this.#prepared.get(wanted);
    if (prepared === undefined) {
      prepared = prepare(this.#database, wanted);
      this.#prepared.set(wanted, prepared);
    }
    return prepared;
  }
}

/**
 * Finds LIMIT parameters, which `prepare` turns into expressions: SQLite plans a statement again whenever a plain LIMIT
 * parameter is bound.
 */
const BOUND_LIMIT = /\bLIMIT \$\d+/g;

function prepare(database: DatabaseSync, wanted: Statement<SqlValue[]>): PreparedStatement {
  const order: number[] = [];
  const sql = wanted
    .sql(SQLITE)
    .replaceAll(BOUND_LIMIT, "$& + 0")
    .replaceAll(/\$(\d+)/g, (_, number: string) => {
      order.push(Number(number) - 1);
      return "?";
    });
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return { statement, order };
}

function bind(order: readonly number[], parameters: readonly SqlParameter[]): SqlValue[] {
  return order.map((index) => {
    const parameter = parameters[index];
    if (parameter === undefined) throw new TypeError(`A statement wants parameter $${index + 1}.`);
    return isList(parameter) ? JSON.stringify(parameter) : parameter;
  });
}

/**
 * Gives rows the type that their statement declares. No other code trusts a declared type, because the database returns
 * untyped rows.
 */
function rowsOf<Row extends SqlValue[]>(found: unknown[]): Row[] {
  return found as Row[];
}

/** What SQLite's primary result codes mean, for the terminal. */
const REASONS: Readonly<Record<number, string>> = {
  5: "is locked by another program",
  6: "is locked by another program",
  8: "cannot be written: it is read-only",
  10: "cannot be read or written: the file system failed",
  11: "is damaged",
  13: "cannot grow: the disk is full",
  14: "cannot be opened",
  26: "is not a database",
};

/** The extended code for a failure to map shared memory, which happens on a full disk. */
const NO_SHARED_MEMORY = 10 | (19 << 8);

/** The result codes of what the file system refuses to Node, which reads the head of a file itself. */
const OF_NODE: Readonly<Record<string, number>> = { EIO: 10, ENOSPC: 13 };

/** The primary result code of an error of SQLite or of the file system; `undefined` for any other error. */
function codeOf(error: unknown): number | undefined {
  const refused = error instanceof Error && "code" in error ? OF_NODE[String(error.code)] : undefined;
  if (refused !== undefined) return refused;
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  if (code === NO_SHARED_MEMORY) return 13;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** Whether the error says that another connection holds a required lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 5;
}

/**
 * Converts an error for a command: a DatabaseFileError of one line if the file is at fault, otherwise the error itself.
 */
export function toCommandError(error: unknown, path: string): unknown {
  const reason = REASONS[codeOf(error) ?? 0];
  if (reason === undefined) return error;
  const detail = error instanceof Error ? ` (${error.message})` : "";
  return new DatabaseFileError(`The database ${path} ${reason}${detail}.`, { cause: error });
}

/** How long a command waits for another writer, and the interval between its attempts, in milliseconds. */
export const PATIENCE = 30_000;
export const POLL = 2;
/** A connection's page cache. SQLite reads a negative number as KiB. */
const CACHE = -32_768;
/**
 * The page cache during imports, which also limits how much SQLite sorts in memory. Sorting takes a third less time if
 * the data fits into the processor's caches, and appending rows needs no page cache.
 */
const SORTING = -16_384;
/**
 * The number of memory-mapped bytes, the maximum that SQLite accepts. Processes share mapped pages, and read them
 * without a system call.
 */
const MAPPED = 2 ** 31 - 2 ** 16;

/**
 * Sets a connection's modes. The first connection to a new file briefly needs exclusive access, so this may wait for up
 * to {@link PATIENCE}.
 */
export async function useLog(database: DatabaseSync): Promise<void> {
  for (const until = Date.now() + PATIENCE; ; await sleep(POLL)) {
    try {
      database.exec("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      useMemory(database);
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
    }
  }
}

export function useMemory(database: DatabaseSync): void {
  database.exec(`PRAGMA cache_size = ${CACHE}; PRAGMA mmap_size = ${MAPPED}`);
}

/** Prepares a connection for an import. The staging file must be attached to the connection as `staging`. */
export function beginImporting(database: DatabaseSync): void {
  database.exec(
    `PRAGMA staging.page_size = 8192; PRAGMA staging.synchronous = OFF; PRAGMA staging.journal_mode = MEMORY; PRAGMA staging.locking_mode = EXCLUSIVE; PRAGMA staging.cache_size = -32768; PRAGMA staging.mmap_size = 0;
     PRAGMA main.cache_size = ${SORTING}; PRAGMA main.mmap_size = 0`,
  );
}

/** Detaches the staging file, and restores the memory limits. */
export function endImporting(database: DatabaseSync): void {
  database.exec("DETACH staging");
  useMemory(database);
}
