import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type Column,
  type Connection,
  type Dialect,
  isList,
  type Parameter,
  type Statement,
} from "../engine.ts";
import { letter } from "../letter.ts";
import { toCommandError } from "./failure.ts";

/**
 * SQL that forces an index. Without statistics, SQLite prefers the primary key even if another index has more of the
 * statement's columns.
 */
const by = (index: string) => ` INDEXED BY ${index}`;

export const SQLITE: Dialect = {
  text: "text",
  bytes: "blob",
  clustered: "WITHOUT ROWID",
  texts: (parameter, alias) => `json_each(${parameter}) ${alias}`,
  numbers: (parameter, alias) => `json_each(${parameter}) ${alias}`,
  given: (types, first) =>
    `(SELECT ${types.map((_, index) => `$${first + index} AS ${letter(index)}`).join(", ")}) given`,
  isGiven: (columns, _, first) =>
    columns.map((column, index) => `${column} = $${first + index}`).join(" AND "),
  runs: (rows) => rows.map((row) => [...row]),
  lookUp: (items, table, alias, condition, index) =>
    `${items} CROSS JOIN ${table} ${alias}${index === undefined ? "" : by(index)} WHERE ${condition}`,
  by,
  elements: (column, alias) => `CROSS JOIN json_each(${column}) ${alias}`,
  field: (json, name) => `(${json} -> '${name}')`,
  // SQLite has no aggregate that joins blobs. `string_agg` joins the blobs as texts, and SQLite does not check that the
  // bytes are valid text.
  joinedBytes: (column) => `CAST(string_agg(${column}, '') AS blob)`,
  contains: (column, parameter) => `instr(${column}, ${parameter}) > 0`,
  exists: (table) => `EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${table}')`,
  stored: (table) => table,
};

interface Prepared {
  readonly statement: StatementSync;
  /**
   * For each placeholder, the index of its parameter. node:sqlite binds parameters in order, while our SQL numbers
   * them.
   */
  readonly order: readonly number[];
}

/** Statements on one open database file. Every call blocks the process until the statement has ended. */
export class SqliteConnection implements Connection {
  readonly dialect = SQLITE;
  readonly #database: DatabaseSync;
  readonly #prepared: Map<Statement<Column[]>, Prepared>;

  /** `other` is a connection to the same open file. Its prepared statements are reused. */
  constructor(database: DatabaseSync, other?: SqliteConnection) {
    this.#database = database;
    this.#prepared = other === undefined ? new Map() : other.#prepared;
  }

  async read<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return this.readNow(wanted, ...parameters);
  }

  async write(wanted: Statement<never>, ...parameters: Parameter[]): Promise<number> {
    return this.#run(() => {
      const { statement, order } = this.#prepare(wanted);
      return Number(statement.run(...bind(order, parameters)).changes);
    });
  }

  async writeEach(wanted: Statement<never>, lists: readonly (readonly Parameter[])[]): Promise<void> {
    this.#run(() => {
      const { statement, order } = this.#prepare(wanted);
      for (const parameters of lists) statement.run(...bind(order, parameters));
    });
  }

  async script(sql: string): Promise<void> {
    this.#run(() => this.#database.exec(sql));
  }

  /** Does what {@link read} does, without a promise. */
  protected readNow<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Row[] {
    return this.#run(() => {
      const { statement, order } = this.#prepare(wanted);
      return rowsOf<Row>(statement.all(...bind(order, parameters)));
    });
  }

  *stream<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Iterable<Row> {
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

  #prepare(wanted: Statement<Column[]>): Prepared {
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

function prepare(database: DatabaseSync, wanted: Statement<Column[]>): Prepared {
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

function bind(order: readonly number[], parameters: readonly Parameter[]): Column[] {
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
export function rowsOf<Row extends Column[]>(found: unknown[]): Row[] {
  return found as Row[];
}
