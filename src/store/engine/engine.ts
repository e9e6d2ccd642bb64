/**
 * The one door to a database. An engine is an opener and its oddities, nothing else: every statement of the
 * program is written once, against a {@link Dialect}, and works on all of them.
 */

import { FOREVER } from "../schema/as-of.ts";
import type { Announcement } from "./marks.ts";

export type Column = string | number | null | Uint8Array;
export type Parameter = string | number | null | Uint8Array | readonly string[] | readonly number[];

/** What engines spell differently. Parameters are `$1`, `$2` … everywhere. */
export interface Dialect {
  /** The type of a text column that is compared bytewise, whatever the database's locale is. */
  readonly text: string;
  /** The type of a column of bytes. */
  readonly bytes: string;
  /** What follows a `CREATE TABLE` whose rows are to lie in the order of its primary key. */
  readonly clustered: string;
  /** A FROM item with a column `value`: the texts of a list parameter, one a row. */
  texts(parameter: string, alias: string): string;
  /** The same of a list of whole numbers. */
  numbers(parameter: string, alias: string): string;
  /**
   * A FROM item with its condition: for each of some items, the rows of a table that meet `condition`. They are looked up
   * item by item, never the other way round; by an index, where it must be told.
   */
  lookUp(items: string, table: string, alias: string, condition: string, index?: string): string;
  /** What follows a table that is read by an index: an engine may take the primary key for better, and read all of it. */
  by(index: string): string;
  /** A join with the texts of the JSON array in `column`, one a row; its column is `alias.value`. */
  elements(column: string, alias: string): string;
  /** Whether `column` contains the text `parameter`, both taken literally; an empty text is contained in all. */
  contains(column: string, parameter: string): string;
  /** Whether there is a table of this name. */
  exists(table: string): string;
}

/** A statement with the shape of its rows. Engines keep what they make of it, so declare each once. */
export interface Statement<Row extends Column[]> {
  readonly sql: (dialect: Dialect) => string;
  /** Carries the type of the rows; never set. */
  readonly row?: Row;
}

/** Every statement that has been declared: tests see to it that none is forgotten. */
export const STATEMENTS: Statement<Column[]>[] = [];

export function statement<Row extends Column[]>(sql: (dialect: Dialect) => string): Statement<Row> {
  const declared: Statement<Row> = { sql };
  STATEMENTS.push(declared);
  return declared;
}

export interface Connection {
  readonly dialect: Dialect;
  /** Runs a statement; all its rows. */
  read<Row extends Column[]>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]>;
  /** Runs a statement that changes rows; how many. */
  write(statement: Statement<never>, ...parameters: Parameter[]): Promise<number>;
  /** Runs statements without parameters, separated by semicolons. */
  script(sql: string): Promise<void>;
}

/** What reads need of a database. */
export interface Reader extends Pick<Connection, "dialect" | "read"> {
  /**
   * A number that changes when the database may have gone back to an earlier state, as after a failover. What was
   * read before and what is read after that do not belong together.
   */
  readonly history: number;
  /**
   * Whether each read waits for another process, mostly on another machine: then what a page may need is asked for
   * at once, where reading in turn would ask for less.
   */
  readonly remote: boolean;
  /** Rows of a large result, one after the other, in bounded memory. */
  stream<Row extends Column[]>(
    statement: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncIterable<Row> | Iterable<Row>;
}

export interface Engine extends Connection, Reader {
  /** The database as its users name it, without credentials. */
  readonly name: string;
  /**
   * A number that grows whenever something has changed that requests must see at once. A promise where the
   * database has to be asked first; it rejects with an ApiError where it cannot be reached.
   */
  version(): number | Promise<number>;
  /** The `version` at which an organization or one of its tokens last changed, as far as `version` has noticed. */
  changedAt(organization: string): number;
  /** Like `read`, for what must be as new as `version`. */
  readFresh<Row extends Column[]>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]>;
  /** Tells other servers that organizations or tokens have changed; inside the transaction that changes them. */
  announce(connection: Connection, announcement: Announcement): Promise<void>;
  /**
   * Runs one statement whose loss does no harm, and tells nobody: how many rows it changed. `undefined` where the
   * database is busy, takes no writes or cannot be reached.
   */
  writeIfFree(statement: Statement<never>, ...parameters: Parameter[]): Promise<number | undefined>;
  /** Runs `work` in one transaction that may write: all of it happens, or nothing. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Runs reads that all see the database as it is at the start, whatever is written meanwhile and however long they
   * take: an import that goes on beside them takes nothing from under them.
   */
  consistently<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` while no other process imports; `waiting` is called once when another one has to be awaited. Throws a
   * CommandError when that takes longer than `patience`, in milliseconds.
   */
  importing<T>(work: (staging: Staging) => Promise<T>, waiting: () => void, patience?: number): Promise<T>;
  /**
   * Copies the database, as it is now, to a new file that opens like the database itself, while others read and
   * write. `progress` hears which part is done, from 0 to 1. Absent where the database brings its own tools for it.
   */
  copyTo?(file: string, progress: (part: number) => void): Promise<void>;
  /** The bytes that the database takes on disk. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Which rows of a generation: see {@link Staging.erase}. */
export type UpTo = { readonly until: number } | { readonly revision: number };

export function revisionIn(upTo: UpTo): number {
  return "until" in upTo ? upTo.until : upTo.revision;
}

/** SQL: the rows of one generation, the first parameter, up to a revision, the second one. */
export function rowsUpTo(upTo: UpTo | undefined, generation: string, revision: string): string {
  if (upTo === undefined) return `generation = ${generation}`;
  if ("revision" in upTo) return `generation = ${generation} AND revision <= ${revision}`;
  // The second condition is the index's.
  return `generation = ${generation} AND until <= ${revision} AND until < ${FOREVER}`;
}

/**
 * What an import works with: tables that only it sees, gone with its process (statements name them like any other
 * table), and the writes that are safe only while no other process imports.
 */
export interface Staging extends Connection {
  /** Rows of a large result, one after the other, in bounded memory; staged tables may be appended to meanwhile. */
  stream<Row extends Column[]>(statement: Statement<Row>): AsyncIterable<Row> | Iterable<Row>;
  create(table: string, columns: string): Promise<void>;
  createAs(table: string, select: string): Promise<void>;
  index(table: string, columns: string): Promise<void>;
  /** Puts the rows of a staged table into the order of some columns, and indexes it by them. */
  sort(table: string, columns: string): Promise<void>;
  /** Appends rows to a staged table: the values of one row after the other, in the order of its columns. */
  append(table: string, columns: number, values: readonly Column[]): Promise<void>;
  /**
   * Inserts what the selects give into a table, one after the other, leaving room for other writers; `progress`
   * hears of more rows.
   */
  fill(table: string, selects: readonly string[], progress: (rows: number) => void): Promise<void>;
  /**
   * Deletes rows of one generation from a table, leaving room for other writers: all, or those that held up to a revision
   * or an earlier one, or those of revisions up to one.
   */
  erase(table: string, generation: number, upTo?: UpTo): Promise<void>;
  /** Like the engine's; fails when other processes may import by now. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}
