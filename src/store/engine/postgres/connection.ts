/**
 * Statements on one PostgreSQL session: the dialect, how parameters are sent and rows come back, and what errors mean
 * for the caller.
 */
import { ApiError, CommandError, unavailable } from "../../../domain/error.ts";
import { SCHEMA } from "../../schema/migrations.ts";
import {
  type SqlValue,
  type Connection,
  type Dialect,
  type ColumnType,
  type SqlParameter,
  type Statement,
  isList,
  letter,
} from "../engine.ts";
import { hash } from "node:crypto";
import { type ClientBase, DatabaseError } from "pg";

/** A prepared statement. The name is a hash of the text, so it is the same in every process. */
interface Prepared {
  readonly name: string;
  readonly text: string;
}

const PREPARED = new WeakMap<object, Prepared>();

function prepared(wanted: Statement<SqlValue[]>): Prepared {
  let found = PREPARED.get(wanted);
  if (found === undefined) {
    const text = wanted.sql(POSTGRES);
    found = { text, name: `rolebook_${hash("sha256", text).slice(0, 24)}` };
    PREPARED.set(wanted, found);
  }
  return found;
}

/** Runs a statement that the server keeps prepared for this session, and returns all its rows. */
export async function readPrepared<Row extends SqlValue[]>(
  client: ClientBase,
  wanted: Statement<Row>,
  parameters: readonly SqlParameter[],
): Promise<Row[]> {
  const { name, text } = prepared(wanted);
  const { rows } = await client.query<Row>({ name, text, values: sendable(parameters), rowMode: "array" });
  return rows;
}

/** Runs statements on one session without preparing them, because a transaction or an import runs each one once. */
export class PostgresConnection implements Connection {
  readonly dialect = POSTGRES;
  readonly remote = true;
  protected readonly client: ClientBase;
  /** The last read that was begun. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: ClientBase) {
    this.client = client;
  }

  read<Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): Promise<Row[]> {
    return this.inTurn(async () => {
      const { text } = prepared(wanted);
      const { rows } = await this.client.query<Row>({ text, values: sendable(parameters), rowMode: "array" });
      return rows;
    });
  }

  /** Begins a read after the one before has ended: pg 9 refuses a query while its client runs another one. */
  protected inTurn<Row>(begin: () => Promise<Row[]>): Promise<Row[]> {
    const rows = this.#last.then(begin);
    this.#last = rows.catch(() => {});
    return rows;
  }

  async write(wanted: Statement<never>, ...parameters: SqlParameter[]): Promise<number> {
    const { rowCount } = await this.client.query(prepared(wanted).text, sendable(parameters));
    return rowCount ?? 0;
  }

  async writeEach(wanted: Statement<never>, lists: readonly (readonly SqlParameter[])[]): Promise<void> {
    for (const parameters of lists) await this.write(wanted, ...parameters);
  }

  async script(sql: string): Promise<void> {
    await this.client.query(sql);
  }
}

const TEXT = `text COLLATE "C"`;

/** Rows per statement. With this many, the wait for the answer is a small part of the time. */
const ROWS_A_RUN = 2_000;

const LISTS: Readonly<Record<ColumnType, string>> = {
  text: `text[]) COLLATE "C"`,
  number: "bigint[])",
};

/** SQL: a FROM item whose columns are list parameters. `first` is the number of the first parameter. */
function unnest(types: readonly ColumnType[], first: number): string {
  return `unnest(${types.map((type, index) => `CAST($${first + index} AS ${LISTS[type]}`).join(", ")})`;
}

function* listsOf(rows: readonly (readonly SqlValue[])[]): Generator<SqlValue[][]> {
  for (let from = 0; from < rows.length; from += ROWS_A_RUN) {
    const some = rows.slice(from, from + ROWS_A_RUN);
    yield (some[0] ?? []).map((_, index) => some.map((row) => row[index] ?? null));
  }
}

export const POSTGRES: Dialect = {
  text: TEXT,
  clustered: "",
  texts: (parameter, alias) => `unnest(CAST(${parameter} AS text[]) COLLATE "C") ${alias} (value)`,
  numbers: (parameter, alias) => `unnest(CAST(${parameter} AS bigint[])) ${alias} (value)`,
  given: (types, first) =>
    `${unnest(types, first)} given (${types.map((_, index) => letter(index)).join(", ")})`,
  isGiven: (columns, types, first) =>
    `(${columns.join(", ")}) IN (SELECT * FROM ${unnest(types, first)} given)`,
  runs: listsOf,
  // `OFFSET 0` makes the planner look up each item. Without it, the planner may scan the whole table.
  lookUp: (items, table, alias, condition) =>
    `${items} CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias}`,
  first: (given, table, alias, condition, order) =>
    `${given} CROSS JOIN LATERAL (
       SELECT * FROM ${table} ${alias} WHERE ${condition} ORDER BY ${order} LIMIT 1
     ) ${alias}`,
  joinedRows: (columns, key) =>
    `string_agg(concat_ws(E'\\t', ${columns.join(", ")}), E'\\n' ORDER BY ${key})`,
  exists: (table) => `to_regclass('${table}') IS NOT NULL`,
};

/**
 * Replaces U+0000 in parameters by U+0001, because PostgreSQL's texts cannot contain U+0000. No record contains U+0000
 * (docs/snapshot.md), but a request may. No id contains U+0001 either, and it is the next character in sort order.
 */
export function sendable(parameters: readonly SqlParameter[]): SqlParameter[] {
  return parameters.map((parameter) =>
    isList(parameter) ? parameter.map(withoutNul) : withoutNul(parameter),
  );
}

function withoutNul(value: SqlValue): SqlValue {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u0001") : value;
}

const ROWS_A_FETCH = 2000;

/**
 * Declares a cursor, and returns all its rows in bounded memory. Call it in a transaction, unless the cursor is
 * `WITH HOLD`.
 */
export async function* fetchAll<Row extends SqlValue[]>(
  client: ClientBase,
  cursor: string,
  declaration: string,
  parameters: unknown[] = [],
): AsyncGenerator<Row> {
  await client.query(`DECLARE ${cursor} ${declaration}`, parameters);
  for (;;) {
    const { rows } = await client.query<Row>({
      text: `FETCH ${ROWS_A_FETCH} FROM ${cursor}`,
      rowMode: "array",
    });
    yield* rows;
    if (rows.length < ROWS_A_FETCH) break;
  }
  await client.query(`CLOSE ${cursor}`);
}

/**
 * What an error means for the caller. `lost`: the outcome of the statement is unknown, and another connection may work.
 * `refused`: the server is reachable but does not serve now. `other`: the statement or the program is at fault.
 */
type Failure = "lost" | "refused" | "other";

const READ_ONLY = "25006";
/** A statement exceeded `statement_timeout`. */
const TIME_LIMIT = "57014";

/** SQLSTATE codes and prefixes after which another connection may work. */
const LOST = [
  "08", // connection exception
  "57P01", // admin shutdown
  "57P02", // crash shutdown
  "57P03", // cannot connect now
  "57P05", // idle session timeout
  "40001", // on a standby: conflict with recovery
  "26000", // a missing prepared statement: a proxy gave us another session
];
/** SQLSTATE codes and prefixes of a server that is reachable but does not serve now. */
const REFUSED = [
  "53", // insufficient resources, too many connections
  "55P03", // lock not available
  TIME_LIMIT,
  "28", // authorization
  "3D000", // no such database
  READ_ONLY, // a standby that is not promoted yet
];

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError || error instanceof CommandError) return "other";
  if (error instanceof DatabaseError) {
    const { code = "", message } = error;
    // Only a new session makes new plans after a migration.
    if (message.startsWith("cached plan")) return "lost";
    if (isOfAnotherNode(error)) return "refused";
    if (LOST.some((start) => code.startsWith(start))) return "lost";
    return REFUSED.some((start) => code.startsWith(start)) ? "refused" : "other";
  }
  // The driver's errors, such as broken sockets and timeouts, are neither TypeErrors nor RangeErrors.
  return error instanceof TypeError || error instanceof RangeError ? "other" : "lost";
}

/** SQLSTATE prefixes of broken connections and stopping servers. */
const BROKEN = ["08", "57P"];

/** How Citus begins the message, with the SQLSTATE of an internal error, if it loses a node inside a transaction. */
const LOST_NODE = "failure on connection marked as essential";

/**
 * Whether a server reports that its connection to another node broke. If our own connection breaks, the error has the
 * severity FATAL.
 */
function isOfAnotherNode({ code = "", severity, message }: DatabaseError): boolean {
  if (severity !== "ERROR") return false;
  return BROKEN.some((start) => code.startsWith(start)) || message.startsWith(LOST_NODE);
}

/** Whether the server ended a statement at its time limit. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === TIME_LIMIT;
}

/** Whether the driver waited for a connection or an answer for as long as it may. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /^(?:Query read timeout$|timeout)/.test(error.message);
}

/** Whether the connection that reported this error must be closed. */
export function endsConnection(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure !== "refused") return failure === "lost";
  // Behind a proxy, a new connection may reach a server that accepts writes.
  return !(error instanceof DatabaseError) || error.severity !== "ERROR" || error.code === READ_ONLY;
}

/** An error as one line for the terminal, without credentials. */
export function reasonText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonText))].join(", ");
  return (
    error.message
      .trim()
      .replaceAll(/\s*\n\s*/g, " ")
      .replace(/\.$/, "") || ("code" in error ? String(error.code) : error.name)
  );
}

/**
 * Converts an error for a command: a CommandError of one line if the database or its network is at fault; otherwise the
 * error itself.
 */
export function toCommandError(error: unknown): unknown {
  if (error instanceof ApiError) return new CommandError(error.message, { cause: error });
  if (failureOf(error) === "other" && !isDenied(error)) return error;
  return new CommandError(`The database could not do that: ${reasonText(error)}.`, { cause: error });
}

/**
 * Converts an error for a request: an ApiError with status 503 if the database or its network is at fault; otherwise as
 * `toCommandError` does.
 */
export function answered(error: unknown): unknown {
  return failureOf(error) === "other" ? toCommandError(error) : unavailable(error);
}

/** Whether the database role lacks a privilege. */
function isDenied(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "42501";
}

/** Whether a table is missing that every schema version has. */
export function isWithoutTables(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "42P01";
}

export function wrongSchema(name: string, schema: number): CommandError {
  const advice = schema < SCHEMA ? "Run: rolebook database migrate" : "Use a newer rolebook.";
  return new CommandError(
    `The database ${name} has schema ${schema}; this program works with ${SCHEMA}. ${advice}`,
  );
}
