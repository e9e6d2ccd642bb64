/**
 * The interface to a database. An engine opens a database and implements where databases differ. Every other
 * statement is written once, against a {@link Dialect}, and runs on all engines.
 */

import { FOREVER } from "../schema/as-of.ts";

export type Column = string | number | null | Uint8Array;
export type Parameter = string | number | null | Uint8Array | readonly string[] | readonly number[];

/** What engines spell differently. Parameters are `$1`, `$2` … on all of them. */
export interface Dialect {
  /** The type of a text column that compares as bytes, whatever the locale of the database. */
  readonly text: string;
  /** The type of a column of bytes. */
  readonly bytes: string;
  /** The end of a `CREATE TABLE` whose rows are stored in the order of the primary key. */
  readonly clustered: string;
  /** A FROM item with a column `value`: the texts of a list parameter, one per row. */
  texts(parameter: string, alias: string): string;
  /** The same for a list of whole numbers. */
  numbers(parameter: string, alias: string): string;
  /**
   * A FROM item with its condition: for each of some items, the rows of a table that meet `condition`. The rows are
   * looked up item by item, never the other way round. `index` is needed where an engine would not find the index itself.
   */
  lookUp(items: string, table: string, alias: string, condition: string, index?: string): string;
  /** Follows a table that is read by an index: an engine may prefer the primary key and read all of the table. */
  by(index: string): string;
  /** A join with the texts of the JSON array in `column`, one per row; its column is `alias.value`. */
  elements(column: string, alias: string): string;
  /** An aggregate: the bytes of a column, one row after the other. */
  joinedBytes(column: string): string;
  /** Whether `column` contains the text `parameter`, both literally. Every text contains the empty one. */
  contains(column: string, parameter: string): string;
  /** Whether a table of this name exists. */
  exists(table: string): string;
  /** A table as imports compare it with staged rows, once {@link Staging.fetch} made its rows available. */
  stored(table: string): string;
}

/** A statement and the type of its rows. Engines cache what they prepare for it, so declare each statement once. */
export interface Statement<Row extends Column[]> {
  readonly sql: (dialect: Dialect) => string;
  /** Carries the type of the rows; never set. */
  readonly row?: Row;
}

/** Every declared statement: tests check that none is left out. */
export const STATEMENTS: Statement<Column[]>[] = [];

export function statement<Row extends Column[]>(sql: (dialect: Dialect) => string): Statement<Row> {
  const declared: Statement<Row> = { sql };
  STATEMENTS.push(declared);
  return declared;
}

export interface Connection {
  readonly dialect: Dialect;
  /** Runs a statement and returns all its rows. */
  read<Row extends Column[]>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]>;
  /** Runs a statement that changes rows, and returns their number. */
  write(statement: Statement<never>, ...parameters: Parameter[]): Promise<number>;
  /** Runs statements without parameters, separated by semicolons. */
  script(sql: string): Promise<void>;
}

/** What reads need of a database. */
export interface Reader extends Pick<Connection, "dialect" | "read"> {
  /**
   * Changes when the database may have returned to an earlier state, as after a failover. Reads before and after such
   * a change do not belong together.
   */
  readonly history: number;
  /**
   * Whether each read waits for another process, usually on another machine. Then everything that a page may need is
   * read concurrently, even if reading in sequence would need less.
   */
  readonly remote: boolean;
  /** The rows of a large result, one by one, in bounded memory. */
  stream<Row extends Column[]>(
    statement: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncIterable<Row> | Iterable<Row>;
}

export interface Engine extends Connection, Reader {
  /** The name of the database for its users, without credentials. */
  readonly name: string;
  /**
   * Increases whenever something changes that requests must see at once. A promise if the database must be asked
   * first; rejects with an ApiError if it cannot be reached.
   */
  version(): number | Promise<number>;
  /** The `version` at which an organization or one of its tokens last changed, as far as `version` has noticed. */
  changedAt(organization: string): number;
  /** Like `read`, for what must be as new as `version`. */
  readFresh<Row extends Column[]>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]>;
  /** Tells other servers that organizations or tokens have changed. Must run in the transaction that changes them. */
  announce(connection: Connection, announcement: Announcement): Promise<void>;
  /**
   * Runs one statement that may be lost without harm, and announces nothing. Returns the number of changed rows;
   * `undefined` if the database is busy, is read-only or cannot be reached.
   */
  writeIfFree(statement: Statement<never>, ...parameters: Parameter[]): Promise<number | undefined>;
  /** Runs `work` in one write transaction: all of it takes effect, or nothing. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * A consistent read: all reads in `work` see the database as it is at the start, whatever is written meanwhile and
   * however long they take.
   */
  consistently<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` while no other process imports. `waiting` is called once if another one holds the lock. Throws a
   * CommandError when the wait exceeds `patience`, in milliseconds.
   */
  importing<T>(work: (staging: Staging) => Promise<T>, waiting: () => void, patience?: number): Promise<T>;
  /**
   * Copies the current database to a new file that can be opened like the database, while others read and write.
   * `progress` receives the fraction that is done. Absent if the database has its own tools for backups.
   */
  copyTo?(file: string, progress: (part: number) => void): Promise<void>;
  /** The size of the database on disk, in bytes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/**
 * What has changed: new revisions were published, which affects no other organization, or anything else, after which
 * cached tokens and organizations must be read again.
 */
export type Announcement = "revisions" | "anything";

/** Which rows of a generation: see {@link Staging.erase}. */
export type UpTo = { readonly until: number } | { readonly revision: number };

export function revisionIn(upTo: UpTo): number {
  return "until" in upTo ? upTo.until : upTo.revision;
}

/** SQL: the rows of one generation, the first parameter, up to a revision, the second one. */
export function rowsUpTo(upTo: UpTo | undefined, generation: string, revision: string): string {
  if (upTo === undefined) return `generation = ${generation}`;
  if ("revision" in upTo) return `generation = ${generation} AND revision <= ${revision}`;
  // The second condition lets the index be used.
  return `generation = ${generation} AND until <= ${revision} AND until < ${FOREVER}`;
}

/**
 * What an import works with: staged tables, which only it sees and which end with its process (statements name them
 * like any other table), and writes that are safe only while no other process imports.
 */
export interface Staging extends Connection {
  /** The rows of a large result, one by one, in bounded memory. Staged tables may be appended to meanwhile. */
  stream<Row extends Column[]>(
    statement: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncIterable<Row> | Iterable<Row>;
  create(table: string, columns: string): Promise<void>;
  createAs(table: string, select: string): Promise<void>;
  index(table: string, columns: string): Promise<void>;
  /** Sorts the rows of a staged table by some columns, and creates an index on them. */
  sort(table: string, columns: string): Promise<void>;
  /**
   * Makes the rows of some generations that hold now available as `dialect.stored(table)`. Where tables may lie on
   * other nodes, the rows are fetched by the number of their generation: no statement joins them where they are.
   */
  fetch(table: string, generations: readonly number[]): Promise<void>;
  /** Appends rows to a staged table: the values of one row after the other, in the order of its columns. */
  append(table: string, columns: number, values: readonly Column[]): Promise<void>;
  /**
   * Inserts the results of the selects into a table, one after the other, and regularly lets other writers in.
   * `progress` receives the number of new rows.
   */
  fill(table: string, selects: readonly string[], progress: (rows: number) => void): Promise<void>;
  /**
   * Throws a CommandError unless readers find every row that `fill` wrote of these generations. To be called before
   * anything points at them: another node may not have what was committed.
   */
  mustHaveWritten(generations: readonly number[]): Promise<void>;
  /**
   * Deletes rows of one generation from a table, and regularly lets other writers in: all of them, or those that held
   * until a revision or an earlier one, or those of revisions up to one.
   */
  erase(table: string, generation: number, upTo?: UpTo): Promise<void>;
  /** Like the engine's; fails if other processes may be importing by now. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}
