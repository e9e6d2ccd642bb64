/**
 * The interface to a database. An engine opens a database and contains the SQL that differs between databases. All
 * other statements are written once, with a {@link Dialect}, and run on all engines. This file loads no driver.
 */
import { CommandError } from "../../domain/error.ts";
import { setTimeout as sleep } from "node:timers/promises";

export type SqlValue = string | number | null | Uint8Array;
export type SqlParameter = SqlValue | readonly SqlValue[];

export function isList(parameter: SqlParameter): parameter is readonly SqlValue[] {
  return Array.isArray(parameter);
}

/** The type of a column in the rows of `readEach` and `writeEach`. */
export type ColumnType = "text" | "number";

/** SQL that differs between engines. Statements write parameters as `$1`, `$2` … on all engines. */
export interface Dialect {
  /** The type of a text column that is compared byte by byte in every locale. */
  readonly text: string;
  /** Ends a `CREATE TABLE` statement, so that the rows are stored in primary key order. */
  readonly clustered: string;
  /** A FROM item with a column `value`: one row for each text of a list parameter. */
  texts(parameter: string, alias: string): string;
  /** A FROM item with a column `value`: one row for each whole number of a list parameter. */
  numbers(parameter: string, alias: string): string;
  /**
   * A FROM item: the rows that `readEach` or `writeEach` passes, with columns `a`, `b`, `c` … `first` is the number of
   * the rows' first parameter.
   */
  given(types: readonly ColumnType[], first: number): string;
  /** A condition: the values of `columns` equal one of the rows that `readEach` or `writeEach` passes. */
  isGiven(columns: readonly string[], types: readonly ColumnType[], first: number): string;
  /**
   * Splits rows among runs of a statement, and returns the parameters of each run. An engine passes one row or many
   * rows per run.
   */
  runs(rows: readonly (readonly SqlValue[])[]): Iterable<SqlParameter[]>;
  /**
   * A FROM item with its condition: for each item, the rows of a table that meet `condition`. The engine reads the
   * items first and looks up the rows of the table. `index` names the index for engines that would choose a worse one.
   */
  lookUp(items: string, table: string, alias: string, condition: string, index?: string): string;
  /**
   * A FROM item with its condition: for each given row ({@link given}), the first row of a table, by `order`, that meets
   * `condition`.
   */
  first(given: string, table: string, alias: string, condition: string, order: string): string;
  /**
   * An aggregate: rows as one text or its bytes, in the order in which they come from a sorted subquery; columns are
   * parted by tabs, rows by line feeds. `key` is by what they are sorted.
   */
  joinedRows(columns: readonly string[], key: string): string;
  exists(table: string): string;
}

/** A statement and the type of its rows. Engines cache prepared statements by this object, so declare each once. */
export interface Statement<Row extends SqlValue[]> {
  readonly sql: (dialect: Dialect) => string;
  /** Only carries the type of the rows; never set. */
  readonly row?: Row;
}

/** All declared statements, so that tests can check every one. */
export const STATEMENTS: Statement<SqlValue[]>[] = [];

export function statement<Row extends SqlValue[]>(sql: (dialect: Dialect) => string): Statement<Row> {
  const declared: Statement<Row> = { sql };
  STATEMENTS.push(declared);
  return declared;
}

export interface Connection {
  readonly dialect: Dialect;
  /** Whether each read waits for another process, usually on another machine. */
  readonly remote: boolean;
  /** Runs a statement and returns all its rows. */
  read<Row extends SqlValue[]>(statement: Statement<Row>, ...parameters: SqlParameter[]): Promise<Row[]>;
  /** Runs a statement that changes rows, and returns the number of changed rows. */
  write(statement: Statement<never>, ...parameters: SqlParameter[]): Promise<number>;
  /** Runs a statement that changes rows, once for each list of parameters. */
  writeEach(statement: Statement<never>, lists: readonly (readonly SqlParameter[])[]): Promise<void>;
  /** Runs statements without parameters, separated by semicolons. */
  script(sql: string): Promise<void>;
}

export interface Reader extends Pick<Connection, "dialect" | "remote" | "read"> {
  /**
   * Changes when the database may have returned to an earlier state, because another server has taken over its address.
   * Do not combine what was read before and after such a change.
   */
  readonly history: number;
  /**
   * Returns the rows of a large result one by one, in bounded memory. An import may append to staged tables meanwhile.
   */
  stream<Row extends SqlValue[]>(
    statement: Statement<Row>,
    ...parameters: SqlParameter[]
  ): AsyncIterable<Row> | Iterable<Row>;
}

/** All its reads see the database as it was at the start, however long they take. It ends when it is disposed of. */
export type ConsistentReader = Reader & AsyncDisposable;

export interface Engine extends Reader {
  /** The database's name for users, without credentials. */
  readonly name: string;
  /**
   * Increases with every change that requests must see at once. Returns a promise if the database must be queried
   * first. The promise rejects with an ApiError if the database cannot be reached.
   */
  version(): number | Promise<number>;
  /** The `version` at which this process last noticed a change of an organization or its tokens. */
  changedAt(organization: string): number;
  /** Counts a change of an organization that this process noticed by itself. */
  noteChange(organization: string): void;
  /** Tells other servers that organizations or tokens have changed. Call it in the transaction that changes them. */
  announce(connection: Connection, announcement: Announcement): Promise<void>;
  /**
   * Runs one unimportant statement, such as the last use of a token, and announces nothing. Returns the number of
   * changed rows; `undefined` if the database is busy, read-only or cannot be reached.
   */
  writeIfFree(statement: Statement<never>, ...parameters: SqlParameter[]): Promise<number | undefined>;
  /** Runs `work` in one write transaction: all of its changes take effect, or none. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  view(): Promise<ConsistentReader>;
  /**
   * Runs `work` with the import lock, which one process at a time can hold. `waiting` is called once if another process
   * holds the lock. Throws a CommandError if the wait exceeds `patience` milliseconds.
   */
  importing<T>(work: (staging: Staging) => Promise<T>, waiting: () => void, patience?: number): Promise<T>;
  /**
   * Copies the database to a new database file, while other processes read and write. `progress` receives the fraction
   * done. Absent if the database has its own backup tools.
   */
  copyTo?(file: string, progress: (part: number) => void): Promise<void>;
  /**
   * Rewrites the database file, so that nothing of deleted rows remains in the file. `waiting` is called once if
   * another process imports. Absent if the database has its own tools for that.
   */
  rewrite?(waiting: () => void): Promise<void>;
  /** Whether the node with the rows of a generation answers within a second; always on a single server. */
  answers(generation: number): Promise<boolean>;
  size(): Promise<DatabaseSize>;
  close(): Promise<void>;
}

/** The size of a database on disk. */
export interface DatabaseSize {
  readonly bytes: number;
  /** The nodes that did not answer, as `host:port`: what is on them is not counted. */
  readonly lost: readonly string[];
}

/**
 * The kind of a change. `revisions`: an organization has a new revision, which affects no other organization.
 * `anything`: cached tokens and organizations must be read again.
 */
export type Announcement = "revisions" | "anything";

/**
 * A limit on the rows of a generation that {@link Staging.erase} deletes: rows that ended at revision `until` or
 * before, rows that belong to `revision` or an earlier one, or those that belong to `only` one.
 */
export type UpTo = { readonly until: number } | { readonly revision: number } | { readonly only: number };

/**
 * The database during an import. Its staged tables are visible to this import only and end with its process; statements
 * name them like any other table. Some of its writes are safe only while no other process imports.
 */
export interface Staging extends Connection, Pick<Reader, "stream">, Pick<Engine, "answers"> {
  create(table: string, columns: string): Promise<void>;
  /** Creates a staged table with the rows of a select, and an index on `indexed`. */
  createAs(table: string, select: string, indexed?: string): Promise<void>;
  /**
   * Appends rows to a staged table. `values` has the columns of the first row, then those of the second row, and so on.
   */
  append(table: string, columns: number, values: readonly SqlValue[]): Promise<void>;
  /**
   * Inserts batches of rows into a table, with all its columns and in the order of its key. Pauses regularly, so that other
   * processes can write. `progress` receives the number of rows inserted since its last call.
   */
  insert(table: string, batches: Batches, progress: (rows: number) => void): Promise<void>;
  /**
   * Throws a CommandError unless all rows that `insert` wrote to these generations can be read. Call it before the
   * generations become current: on a distributed database, another node may lack committed rows.
   */
  mustHaveWritten(generations: readonly number[]): Promise<void>;
  /**
   * Deletes the rows of one generation from a table, or only the rows within `upTo`. Pauses regularly, so that other
   * processes can write. `progress` receives the number of rows deleted since its last call.
   */
  erase(table: string, generation: number, upTo?: UpTo, progress?: (rows: number) => void): Promise<void>;
  /** Runs `work` as the engine's `transaction` does. Throws if this process has lost the import lock. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

type Rows = readonly (readonly SqlValue[])[];
export type Batches = Iterable<Rows> | AsyncIterable<Rows>;

/**
 * Runs a statement for all rows, one row per run on SQLite and many rows per run on PostgreSQL, and returns the rows that it finds, in
 * any order.
 */
export async function readEach<Row extends SqlValue[]>(
  connection: Pick<Connection, "dialect" | "remote" | "read">,
  wanted: Statement<Row>,
  parameters: readonly SqlParameter[],
  rows: Rows,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const given of connection.dialect.runs(rows)) {
    for (const row of await connection.read(wanted, ...parameters, ...given)) found.push(row);
  }
  return found;
}

/** Runs a statement that changes rows, for all of the given rows. */
export async function writeEach(
  connection: Pick<Connection, "dialect" | "writeEach">,
  wanted: Statement<never>,
  parameters: readonly SqlParameter[],
  rows: Rows,
): Promise<void> {
  const runs = [...connection.dialect.runs(rows)].map((given) => [...parameters, ...given]);
  await connection.writeEach(wanted, runs);
}

/** The column name (`a`, `b`, `c` …) at an index of the given rows; see `Dialect.given`. */
export function letter(index: number): string {
  return String.fromCodePoint(0x61 + index);
}

/** The interval between attempts to take a lock, in milliseconds. */
const LOCK_POLL = 100;

/** How long a command waits for a lock by default, in milliseconds (docs/changes.md). */
const LOCK_PATIENCE = 10 * 60_000;

/**
 * Calls `take` until it returns a value. `waiting` is called once if another process holds the lock. Throws a
 * CommandError if the wait exceeds `patience`, in milliseconds.
 */
export async function waitForLock<T>(
  take: () => T | undefined | Promise<T | undefined>,
  waiting: () => void,
  patience = LOCK_PATIENCE,
): Promise<T> {
  const until = performance.now() + patience;
  for (let announced = false; ; announced = true) {
    const taken = await take();
    if (taken !== undefined) return taken;
    const left = until - performance.now();
    if (left <= 0) {
      throw new CommandError(
        `Another import or change has been running for ${patience / 1000} s; nothing was changed. Wait longer with --wait, such as --wait 1h.`,
      );
    }
    if (!announced) waiting();
    await sleep(Math.min(LOCK_POLL, left));
  }
}

/** The database URLs that are accepted (docs/operations.md). */
export const DATABASE_URLS = "sqlite:PATH or postgres://…";

/** Whether the program has an engine for this kind of URL. */
export function isDatabaseUrl(url: string): boolean {
  return fileOf(url) !== undefined || isPostgresUrl(url);
}

/** The path of a SQLite database; `undefined` for any other URL. */
export function fileOf(url: string): string | undefined {
  return url.startsWith("sqlite:") && url.length > "sqlite:".length ? url.slice("sqlite:".length) : undefined;
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}
