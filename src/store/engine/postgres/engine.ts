/** PostgreSQL as an engine: reads over connections that requests share, long work over sessions of its own. */
import { CommandError } from "../../../domain/error.ts";
import { SCHEMA, migrate, schemaOf } from "../../schema/migrations.ts";
import { markChange } from "../marks.ts";
import {
  type Announcement,
  type SqlValue,
  type Connection,
  type DatabaseSize,
  type Engine,
  type SqlParameter,
  type ConsistentReader,
  type Staging,
  type Statement,
  statement,
  waitForLock,
} from "../engine.ts";
import {
  POSTGRES,
  PostgresConnection,
  answered,
  failureOf,
  fetchAll,
  isWithoutTables,
  readPrepared,
  reasonText,
  sendable,
  toCommandError,
  wrongSchema,
} from "./connection.ts";
import { IS_DISTRIBUTED, SESSION, type DatabaseSession, connect, lockOf } from "./pool.ts";
import { LEASE, Server } from "./server.ts";
import { PostgresStaging } from "./staging.ts";
import { type PostgresSettings, readPostgresUrl } from "./url.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";

/** The time limit of {@link Engine.answers}, in milliseconds. */
const PATIENCE = 1000;
const ANYTHING = statement<[one: number]>(() => "SELECT 1 FROM revision_row WHERE generation = $1 LIMIT 1");
const SIZE = "pg_database_size(current_database())";

/**
 * Opens a PostgreSQL database by its URL; see {@link readPostgresUrl}. `note` receives a message when the
 * server stops answering, and when it answers again. Throws a UsageError for an invalid URL, and a CommandError if the
 * database cannot be opened or its schema does not fit this program.
 */
export async function openPostgres(url: string, note: (message: string) => void): Promise<Engine> {
  const server = new Server(readPostgresUrl(url), note);
  try {
    await server.open().catch((error: unknown) => {
      throw notOpened(server.settings, error);
    });
    const engine = new PostgresEngine(server);
    await engine.checkSchema();
    return engine;
  } catch (error) {
    await server.close();
    throw toCommandError(error);
  }
}

function notOpened({ name }: PostgresSettings, error: unknown): unknown {
  if (isWithoutTables(error)) return wrongSchema(name, 0);
  if (failureOf(error) === "other") return error;
  return new CommandError(`The database ${name} cannot be opened: ${reasonText(error)}.`, { cause: error });
}

class PostgresEngine implements Engine {
  readonly dialect = POSTGRES;
  readonly remote = true;
  readonly name: string;
  readonly #server: Server;
  /** Connections whose transaction announced a change. */
  readonly #announced = new WeakSet<Connection>();

  constructor(server: Server) {
    this.name = server.settings.name;
    this.#server = server;
  }

  /** Accepts a schema one step newer than the program's: each migration keeps the previous program working. */
  async checkSchema(): Promise<void> {
    const schema = await this.#server.read((client) => schemaOf(new PostgresConnection(client), this.name));
    if (schema >= SCHEMA && schema <= SCHEMA + 1) return;
    throw wrongSchema(this.name, schema);
  }

  version(): number | Promise<number> {
    return this.#server.version();
  }

  changedAt(organization: string): number {
    return this.#server.changes.of(organization);
  }

  noteChange(organization: string): void {
    this.#server.changes.note(organization);
  }

  get history(): number {
    return this.#server.history;
  }

  read<Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): Promise<Row[]> {
    return this.#server.read((client) => readPrepared(client, wanted, parameters), generationIn(parameters));
  }

  async *stream<Row extends SqlValue[]>(
    wanted: Statement<Row>,
    ...parameters: SqlParameter[]
  ): AsyncGenerator<Row> {
    await using view = await this.view();
    yield* view.stream(wanted, ...parameters);
  }

  async view(): Promise<ConsistentReader> {
    try {
      return await PostgresView.begin(await this.#server.session("read"), this.history);
    } catch (error) {
      throw answered(error);
    }
  }

  /** Changes the row for which all server processes ask. */
  async announce(connection: Connection, announcement: Announcement): Promise<void> {
    await markChange(connection, announcement);
    this.#announced.add(connection);
  }

  /** If a change was announced, resolves after no server process trusts the earlier state any more. */
  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#server.use((client) => this.#commit(client, work));
    } catch (error) {
      throw toCommandError(error);
    }
  }

  async #commit<T>(
    client: ClientBase,
    work: (connection: Connection) => Promise<T>,
    settings = "",
  ): Promise<T> {
    const connection = new PostgresConnection(client);
    await client.query(`BEGIN; ${settings}`);
    let result: T;
    try {
      result = await work(connection);
    } catch (error) {
      // The rollback fails if the connection is lost. The server then rolls back by itself.
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    }
    try {
      await client.query("COMMIT");
    } catch (error) {
      if (failureOf(error) === "other") throw error;
      throw new CommandError(
        `The connection to ${this.name} was lost during the commit; rolebook status shows whether the change was made.`,
        { cause: error },
      );
    }
    if (this.#announced.has(connection)) {
      this.#server.doubt();
      // Repeats the wait: a timer counts from the start of this turn of the event loop, so it may fire early.
      for (const since = performance.now(); performance.now() - since < LEASE;) await sleep(LEASE);
    }
    return result;
  }

  async writeIfFree(wanted: Statement<never>, ...parameters: SqlParameter[]): Promise<number | undefined> {
    try {
      if (this.#server.busy) return undefined;
      return await this.#server.use((client) =>
        this.#commit(client, async (connection) => {
          await connection.script(PASSING);
          return connection.write(wanted, ...parameters);
        }),
      );
    } catch (error) {
      if (toCommandError(error) instanceof CommandError) return undefined;
      throw error;
    }
  }

  async importing<T>(
    work: (staging: Staging) => Promise<T>,
    waiting: () => void,
    patience?: number,
  ): Promise<T> {
    try {
      await using session = await this.#server.session("import");
      const { client } = session;
      try {
        await client.query(SESSION_FOR_IMPORTS);
        await waitForLock(() => tryLock(client), waiting, patience);
        return await work(new PostgresStaging(this, client, (inner) => this.#commit(client, inner, BY_KEY)));
      } finally {
        // Releases the lock at once. The server would release it at the end of the session, a little later.
        await client.query("SELECT pg_advisory_unlock_all()").catch(() => {});
      }
    } catch (error) {
      throw toCommandError(error);
    }
  }

  async answers(generation: number): Promise<boolean> {
    const isRead = this.read(ANYTHING, generation).then(
      () => true,
      () => false,
    );
    return Promise.race([isRead, sleep(PATIENCE, false, { ref: false })]);
  }

  async size(): Promise<DatabaseSize> {
    const ask = (text: string, values: unknown[] = []) =>
      this.#server.read(
        async (client) => (await client.query<unknown[]>({ text, values, rowMode: "array" })).rows,
      );
    let bytes = Number((await ask(`SELECT ${SIZE}`))[0]?.[0]);
    const lost: string[] = [];
    if (!(await ask(IS_DISTRIBUTED))[0]?.[0]) return { bytes, lost };
    await Promise.all(
      (await ask(WORKERS)).map(async ([host, port]) => {
        const asked = ask(SIZE_OF_WORKER, [[host], [port]]).catch(() => []);
        const [row] = await Promise.race([asked, sleep(PATIENCE, [], { ref: false })]);
        if (row?.[0] === 1) bytes += Number(row[1]);
        else lost.push(`${String(host)}:${String(port)}`);
      }),
    );
    return { bytes, lost: lost.toSorted() };
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** The nodes besides the coordinator of a distributed PostgreSQL (Citus). */
const WORKERS = "SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 AND noderole = 'primary'";
const SIZE_OF_WORKER = `
  SELECT CAST(success AS int), result
    FROM master_run_on_worker(CAST($1 AS text[]), CAST($2 AS int[]), ARRAY['SELECT ${SIZE}'], false)`;

/**
 * The generation that a page reads is the first parameter of its statements. In all other statements, the first
 * parameter is not a number.
 */
function generationIn([first]: readonly SqlParameter[]): number | undefined {
  return typeof first === "number" ? first : undefined;
}

/** Settings for unimportant statements: they wait for a lock for at most 100 ms, and do not wait for the disk. */
const PASSING = "SET LOCAL lock_timeout = 100; SET LOCAL synchronous_commit = off";

/**
 * Settings for the transaction of a change, which finds rows by their keys. By default, for a thousand keys, the
 * planner would scan a medium-sized table.
 */
const BY_KEY =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";

const SESSION_FOR_IMPORTS = `
  SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET jit = off;
  SET temp_buffers = '64MB'; SET work_mem = '64MB'; SET maintenance_work_mem = '128MB'`;

async function tryLock(client: ClientBase): Promise<true | undefined> {
  const { rows } = await client.query<{ held: string }>(
    `SELECT CAST(pg_try_advisory_lock(${lockOf("importing")}) AS text) AS held`,
  );
  return rows[0]?.held === "true" ? true : undefined;
}

/** A consistent read on one session. {@link answered} converts errors of the database. */
export class PostgresView extends PostgresConnection implements ConsistentReader {
  readonly history: number;
  readonly #session: DatabaseSession;
  #cursors = 0;

  private constructor(session: DatabaseSession, history: number) {
    super(session.client);
    this.#session = session;
    this.history = history;
  }

  /** Takes over the session, and ends it if it fails. `history` is {@link Reader.history} of the engine. */
  static async begin(session: DatabaseSession, history: number): Promise<PostgresView> {
    const { client } = session;
    try {
      await client.query(
        `${SESSION}; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`,
      );
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      return new PostgresView(session, history);
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#session.end();
  }

  override async read<Row extends SqlValue[]>(
    wanted: Statement<Row>,
    ...parameters: SqlParameter[]
  ): Promise<Row[]> {
    try {
      return await this.inTurn(() => readPrepared(this.client, wanted, parameters));
    } catch (error) {
      throw answered(error);
    }
  }

  async *stream<Row extends SqlValue[]>(
    wanted: Statement<Row>,
    ...parameters: SqlParameter[]
  ): AsyncGenerator<Row> {
    const cursor = `rows_${this.#cursors++}`;
    try {
      yield* fetchAll<Row>(this.client, cursor, `CURSOR FOR ${wanted.sql(POSTGRES)}`, sendable(parameters));
    } catch (error) {
      throw answered(error);
    }
  }
}

/**
 * Migrates a PostgreSQL database to this program's schema, in one transaction. A concurrent migration waits. Returns
 * the database's name and the previous schema version. Throws a CommandError if the database cannot be opened or the
 * schema is newer than the program.
 */
export async function migratePostgres(url: string): Promise<{ name: string; before: number }> {
  const settings = readPostgresUrl(url);
  try {
    await using session = await connect(settings, { purpose: "migrate", statement: 0 }).catch(
      (error: unknown) => {
        throw notOpened(settings, error);
      },
    );
    return { name: settings.name, before: await migrateOver(session, settings) };
  } catch (error) {
    throw toCommandError(error);
  }
}

async function migrateOver({ client }: DatabaseSession, { name }: PostgresSettings): Promise<number> {
  const connection = new PostgresConnection(client);
  await connection.script(`SET statement_timeout = 0; SELECT pg_advisory_lock(${lockOf("migrating")})`);
  await connection.script("BEGIN");
  const found = await schemaOf(connection, name);
  if (found > SCHEMA) {
    throw new CommandError(
      `The database ${name} has schema ${found}; this program knows ${SCHEMA}. Use a newer rolebook.`,
    );
  }
  if (found < SCHEMA) await migrate(connection, found);
  await connection.script("COMMIT");
  return found;
}
