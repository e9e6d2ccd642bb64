/**
 * The interface to a database. An engine opens a database and contains what differs between databases. Every other
 * statement is written once, against a {@link Dialect}, and runs on all engines.
 */

import { FOREVER } from "../schema/as-of.ts";
import type { FillPart } from "./fill-part.ts";

export type Column = string | number | null | Uint8Array;
export type Parameter = Column | readonly Column[];

export function isList(parameter: Parameter): parameter is readonly Column[] {
  return Array.isArray(parameter);
}

/** The type of a column of the rows that `readEach` and `writeEach` take. */
export type Given = "text" | "number" | "bytes";

/** SQL that differs between engines. Parameters are `$1`, `$2` … on all of them. */
export interface Dialect {
  /** The type of a text column that compares as bytes in every locale. */
  readonly text: string;
  /** The type of a column of bytes. */
  readonly bytes: string;
  /** The end of a `CREATE TABLE` whose rows are stored in primary key order. */
  readonly clustered: string;
  /** A FROM item with a column `value`: the texts of a list parameter, one per row. */
  texts(parameter: string, alias: string): string;
  /** A FROM item with a column `value`: the whole numbers of a list parameter, one per row. */
  numbers(parameter: string, alias: string): string;
  /**
   * A FROM item: the rows that `readEach` or `writeEach` passes, with columns `a`, `b`, `c` … Their parameters begin
   * with number `first`.
   */
  given(types: readonly Given[], first: number): string;
  /** A condition: `columns` equal one of the rows that `readEach` or `writeEach` passes. */
  isGiven(columns: readonly string[], types: readonly Given[], first: number): string;
  /** Splits rows among runs of a statement: the parameters of each run. */
  runs(rows: readonly (readonly Column[])[]): Iterable<Parameter[]>;
  /**
   * A FROM item with its condition: for each item, the rows of a table that meet `condition`. The engine goes from the
   * items to the table, never from the table to the items. `index` is for engines that would not choose the index
   * themselves.
   */
  lookUp(items: string, table: string, alias: string, condition: string, index?: string): string;
  /** Follows a table name to force an index: an engine might prefer the primary key and read the whole table. */
  by(index: string): string;
  /** A join with the texts of a JSON array in `column`, one per row, as `alias.value`. */
  elements(column: string, alias: string): string;
  /** An aggregate that concatenates the bytes of a column. */
  joinedBytes(column: string): string;
  /** Whether `column` contains the text `parameter`, both literal. Every text contains the empty text. */
  contains(column: string, parameter: string): string;
  /** Whether a table of this name exists. */
  exists(table: string): string;
  /** The name under which an import reads a table, after {@link Staging.fetch} has made its rows available. */
  stored(table: string): string;
}

/** A statement and the type of its rows. Engines cache prepared statements by this object, so declare each once. */
export interface Statement<Row extends Column[]> {
  readonly sql: (dialect: Dialect) => string;
  /** Only carries the type of the rows; never set. */
  readonly row?: Row;
}

/** All declared statements, so that tests can check every one. */
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
  /** Runs a statement that changes rows once for each list of parameters. */
  writeEach(statement: Statement<never>, lists: readonly (readonly Parameter[])[]): Promise<void>;
  /** Runs statements without parameters, separated by semicolons. */
  script(sql: string): Promise<void>;
}

/** A database for reading. */
export interface Reader extends Pick<Connection, "dialect" | "read"> {
  /**
   * Changes if the database may have returned to an earlier state, for example after a failover. Reads before and
   * after such a change must not be combined.
   */
  readonly history: number;
  /**
   * Whether each read waits for another process, usually on another machine. Then a page starts all reads that it may
   * need at once, even if reads one after the other would read less.
   */
  readonly remote: boolean;
  /** The rows of a large result, one by one, in bounded memory. */
  stream<Row extends Column[]>(
    statement: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncIterable<Row> | Iterable<Row>;
}

export interface Engine extends Connection, Reader {
  /** The database's name for users, without credentials. */
  readonly name: string;
  /**
   * Increases with every change that requests must see at once. A promise if the database must be queried first;
   * rejects with an ApiError if it cannot be reached.
   */
  version(): number | Promise<number>;
  /** The `version` at which an organization or one of its tokens last changed, as far as this process has noticed. */
  changedAt(organization: string): number;
  /** Like `read`, for rows that must be as new as `version`. */
  readFresh<Row extends Column[]>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]>;
  /** Tells other servers that organizations or tokens have changed. Call it in the transaction that changes them. */
  announce(connection: Connection, announcement: Announcement): Promise<void>;
  /**
   * Runs one statement whose loss does no harm, and announces nothing. Returns the number of changed rows; `undefined`
   * if the database is busy, read-only or cannot be reached.
   */
  writeIfFree(statement: Statement<never>, ...parameters: Parameter[]): Promise<number | undefined>;
  /** Runs `work` in one write transaction: all of its changes take effect, or none. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Runs `work` on a consistent read: all its reads see the database as it is at the start, whatever is written
   * meanwhile and however long they take.
   */
  consistently<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` while no other process imports. `waiting` is called once if another process holds the lock. Throws a
   * CommandError if the wait exceeds `patience`, in milliseconds.
   */
  importing<T>(work: (staging: Staging) => Promise<T>, waiting: () => void, patience?: number): Promise<T>;
  /**
   * Copies the current database to a new file, which can be opened like the database, while others read and write.
   * `progress` receives the fraction done. Absent if the database has its own backup tools.
   */
  copyTo?(file: string, progress: (part: number) => void): Promise<void>;
  /**
   * Rewrites the database file without the remains of deleted rows. `waiting` is called once if another process
   * imports. Absent if the database has its own tools for that.
   */
  rewrite?(waiting: () => void): Promise<void>;
  /** Size of the database on disk, in bytes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/**
 * The kind of a change: new revisions, which affect no other organization, or anything else, after which cached
 * tokens and organizations must be read again.
 */
export type Announcement = "revisions" | "anything";

/**
 * A limit on the rows of a generation: those that ended at revision `until` or before, or those that belong to
 * `revision` or earlier ones. See {@link Staging.erase}.
 */
export type UpTo = { readonly until: number } | { readonly revision: number };

export function revisionIn(upTo: UpTo): number {
  return "until" in upTo ? upTo.until : upTo.revision;
}

/** SQL: the rows of one generation up to a revision. `generation` and `revision` are placeholders such as `$1`. */
export function rowsUpTo(upTo: UpTo | undefined, generation: string, revision: string): string {
  if (upTo === undefined) return `generation = ${generation}`;
  if ("revision" in upTo) return `generation = ${generation} AND revision <= ${revision}`;
  // The second condition makes the partial index usable.
  return `generation = ${generation} AND until <= ${revision} AND until < ${FOREVER}`;
}

/**
 * The database during an import: staged tables, which only this import sees and which end with its process
 * (statements name them like any other table), and writes that are safe only while no other process imports.
 */
export interface Staging extends Connection {
  /**
   * The rows of a large result, one by one, in bounded memory. Staged tables may be appended to during the stream.
   */
  stream<Row extends Column[]>(
    statement: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncIterable<Row> | Iterable<Row>;
  create(table: string, columns: string): Promise<void>;
  createAs(table: string, select: string): Promise<void>;
  index(table: string, columns: string): Promise<void>;
  /** Sorts the rows of a staged table by columns, and creates an index on them. */
  sort(table: string, columns: string): Promise<void>;
  /**
   * Makes the current rows of the given generations available as `dialect.stored(table)`. If rows may be on other
   * nodes, copies them by generation, because a statement cannot join staged tables with rows of other nodes.
   */
  fetch(table: string, generations: readonly number[]): Promise<void>;
  /** Appends rows to a staged table: the values of one row after the other, in column order. */
  append(table: string, columns: number, values: readonly Column[]): Promise<void>;
  /**
   * Inserts the rows of the parts into a table, one part after the other, and regularly lets other writers in.
   * `progress` receives the number of new rows.
   */
  fill(table: string, parts: readonly FillPart[], progress: (rows: number) => void): Promise<void>;
  /**
   * Throws a CommandError unless readers find every row that `fill` wrote to these generations. Call it before the
   * generations become current: another node may lack committed rows.
   */
  mustHaveWritten(generations: readonly number[]): Promise<void>;
  /**
   * Deletes rows of one generation from a table, and regularly lets other writers in. `upTo` limits the rows; by
   * default, all are deleted.
   */
  erase(table: string, generation: number, upTo?: UpTo): Promise<void>;
  /** Like the engine's transaction; throws if the lock was lost and other processes may be importing. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}
