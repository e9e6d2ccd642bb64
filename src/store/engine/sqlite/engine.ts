/**
 * SQLite as an engine. All processes that use the file see a change by its `data_version` and its marks, so a writer
 * only waits until none of them trusts an earlier look.
 */
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../domain/error.ts";
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
} from "../engine.ts";
import { NoticedChanges, PUBLISHED, SEEN, markChange } from "../marks.ts";
import { migrate, SCHEMA, schemaOf } from "../../schema/migrations.ts";
import { PATIENCE, POLL, SqliteConnection, isBusy, toCommandError, useLog, useMemory } from "./connection.ts";
import {
  MEMORY,
  ReadOnlyFile,
  TEMPORARY,
  beside,
  copyDatabase,
  createForSqlite,
  isReadOnly,
  refuseCut,
  rewriteFile,
  openView,
  takeLock,
} from "./file.ts";
import { SqliteStaging } from "./staging.ts";

/**
 * How long the last `data_version` is trusted, in milliseconds. Writers wait as long after committing (see
 * `transaction`), so that no request is answered from an earlier state.
 */
const LEASE = 1;

/**
 * Opens a database file. Creates a missing file, and migrates an older one to this program's schema. A file that cannot
 * be written is opened to read. Throws a CommandError for a file that is not a database or is newer than the program,
 * and for one that cannot be written, but would have to be.
 */
export async function openSqlite(path: string, note: (message: string) => void): Promise<Engine> {
  let database: DatabaseSync | undefined;
  try {
    const readOnly = readOnlyFileOf(path);
    if (readOnly === undefined) createForSqlite(path);
    database = new DatabaseSync(readOnly?.url ?? path, { timeout: 5000 });
    if (path !== MEMORY) refuseCut(path);
    if (readOnly === undefined) await useLog(database);
    else useMemory(database);
    // Uses the real path, so that all names of one file share the import lock and the staging files.
    const engine = new SqliteEngine(path, path === MEMORY ? path : realpathSync(path), database, readOnly);
    await engine.prepareSchema(note);
    return engine;
  } catch (cause) {
    database?.close();
    throw toCommandError(cause, path);
  }
}

/** `undefined` if the database can be written or created. */
function readOnlyFileOf(path: string): ReadOnlyFile | undefined {
  if (path === MEMORY || !existsSync(path)) return undefined;
  const real = realpathSync(path);
  return isReadOnly(real) ? new ReadOnlyFile(real, LEASE) : undefined;
}

const DATA_VERSION = statement<[version: number]>(() => "PRAGMA data_version");

class SqliteEngine extends SqliteConnection implements Engine {
  readonly name: string;
  /** A file never returns to an earlier state. */
  readonly history = 0;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #readOnly: ReadOnlyFile | undefined;
  readonly #changes = new NoticedChanges();
  /** The last `data_version`, and when it was read, by `performance.now()`. */
  #seen: number | undefined;
  #seenAt = -Infinity;
  #announced = false;

  /** `path` is the real path of the file, `given` its path in the URL. */
  constructor(given: string, path: string, database: DatabaseSync, readOnly: ReadOnlyFile | undefined) {
    super(database);
    this.name = `sqlite:${given}`;
    this.#path = path;
    this.#database = database;
    this.#readOnly = readOnly;
  }

  async prepareSchema(note: (message: string) => void): Promise<void> {
    const found = await (this.#readOnly === undefined ? this.#migrate() : schemaOf(this, this.#path));
    if (found > SCHEMA) {
      throw new CommandError(
        `The database ${this.#path} has schema ${found}; this program knows ${SCHEMA}. Use a newer rolebook.`,
      );
    }
    if (found === SCHEMA) return;
    if (this.#readOnly !== undefined) {
      throw new CommandError(
        `The database ${this.#path} has schema ${found} and is read-only, so it cannot be migrated to schema ${SCHEMA}; run rolebook status once where it can be written.`,
      );
    }
    if (found > 0) note(`Migrated ${this.#path} from schema ${found} to ${SCHEMA}.`);
  }

  /** Returns the schema as it was. */
  #migrate(): Promise<number> {
    return this.transaction(async (connection) => {
      const schema = await schemaOf(connection, this.#path);
      if (schema < SCHEMA) await migrate(connection, schema);
      return schema;
    });
  }

  /** Others must not read what a transaction has not committed. */
  protected override mayWait(): boolean {
    return !this.#database.isTransaction;
  }

  protected override readNow<Row extends SqlValue[]>(
    wanted: Statement<Row>,
    ...parameters: SqlParameter[]
  ): Row[] {
    this.#readOnly?.mustBeUnchanged();
    return super.readNow(wanted, ...parameters);
  }

  /**
   * `data_version` also changes for commits that requests need not see, such as an import's rows. So the marks are
   * compared, too.
   */
  version(): number {
    const now = performance.now();
    if (now - this.#seenAt < LEASE) return this.#changes.version;
    const [[seen] = []] = this.readNow(DATA_VERSION);
    const [marks] = seen === this.#seen ? [] : this.readNow(SEEN);
    if (marks !== undefined) {
      const [change, reset, revision] = marks;
      this.#changes.see({ change, reset, revision }, (after) =>
        this.readNow(PUBLISHED, after).map(([organization]) => organization),
      );
    }
    this.#seen = seen;
    this.#seenAt = now;
    return this.#changes.version;
  }

  changedAt(organization: string): number {
    return this.#changes.of(organization);
  }

  noteChange(organization: string): void {
    this.#changes.note(organization);
  }

  /**
   * Makes the next call of `version` look for changes, because `data_version` does not count this connection's commits.
   */
  #refresh(): void {
    this.#seen = undefined;
    this.#seenAt = -Infinity;
  }

  /** Sends no notification: other processes find the change in the file, and `transaction` waits until they have. */
  async announce(connection: Connection, announcement: Announcement): Promise<void> {
    await markChange(connection, announcement);
    this.#announced = true;
  }

  /** If a change was announced, resolves after no process trusts the earlier state any more. */
  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const result = await this.#commit(work);
    if (this.#announced) {
      this.#announced = false;
      // Repeats the wait: a timer counts from the start of this turn of the event loop, so it may fire early.
      for (const since = performance.now(); performance.now() - since < LEASE;) await sleep(LEASE);
    }
    return result;
  }

  async #commit<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      const result = await work(this);
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw toCommandError(error, this.#path);
    } finally {
      // Other processes never saw marks that were read in a transaction that rolls back.
      if (this.#announced) this.#changes.doubt();
      this.#refresh();
      this.#database.exec("PRAGMA synchronous = NORMAL");
    }
  }

  /** Does not wait for another writer, and runs no checkpoint of the write-ahead log. */
  async writeIfFree(wanted: Statement<never>, ...parameters: SqlParameter[]): Promise<number | undefined> {
    if (this.#database.isTransaction || this.#readOnly !== undefined) return undefined;
    this.#database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_autocheckpoint = 0");
    try {
      return await this.write(wanted, ...parameters);
    } catch (error) {
      if (error instanceof CommandError) return undefined;
      throw error;
    } finally {
      this.#database.exec("PRAGMA busy_timeout = 5000; PRAGMA wal_autocheckpoint = 1000");
    }
  }

  /** Tries often, because an import holds the write lock most of the time and releases it only briefly. */
  async #begin(): Promise<void> {
    if (this.#readOnly !== undefined) throw this.#readOnly.refusal;
    const until = Date.now() + PATIENCE;
    // FULL makes this commit, and everything written before it, survive a power failure.
    this.#database.exec("PRAGMA busy_timeout = 0; PRAGMA synchronous = FULL");
    try {
      for (;;) {
        try {
          this.#database.exec("BEGIN IMMEDIATE");
          return;
        } catch (error) {
          if (!isBusy(error) || Date.now() > until) throw toCommandError(error, this.#path);
        }
        await sleep(POLL);
      }
    } finally {
      this.#database.exec("PRAGMA busy_timeout = 5000");
    }
  }

  async view(): Promise<ConsistentReader> {
    return new SqliteView(this.#viewed(), this.#readOnly);
  }

  async copyTo(file: string, progress: (part: number) => void): Promise<void> {
    await using view = new SqliteView(this.#viewed(), this.#readOnly);
    await copyDatabase(view.database, file, progress);
    this.#readOnly?.mustBeUnchanged();
  }

  async rewrite(waiting: () => void): Promise<void> {
    if (this.#path === MEMORY) return;
    const lock = await takeLock(this.#path, waiting, undefined);
    try {
      await rewriteFile(this.#database, this.#path, PATIENCE);
    } catch (error) {
      throw toCommandError(error, this.#path);
    } finally {
      lock.close();
      this.#refresh();
    }
  }

  /** A connection for a consistent read. An in-memory database has no other writers, so all its reads are consistent. */
  #viewed(): DatabaseSync {
    return this.#path === MEMORY ? this.#database : openView(this.#readOnly?.url ?? this.#path);
  }

  async importing<T>(
    work: (staging: Staging) => Promise<T>,
    waiting: () => void,
    patience?: number,
  ): Promise<T> {
    const isWritable = this.#readOnly === undefined;
    const file = isWritable ? beside(this.#path, `-staging-${process.pid}`) : TEMPORARY;
    const staging = new SqliteStaging(this.#database, this, file);
    try {
      const lock = isWritable ? await takeLock(this.#path, waiting, patience) : undefined;
      try {
        if (isWritable) this.#sweepStagingFiles();
        return await work(staging);
      } finally {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        staging.end();
        if (isWritable && file !== MEMORY) rmSync(file, { force: true });
        lock?.close();
      }
    } catch (error) {
      throw toCommandError(error, this.#path);
    }
  }

  /** Removes staging files of killed imports. Call it with the import lock, which proves that no import is running. */
  #sweepStagingFiles(): void {
    if (this.#path === MEMORY) return;
    const prefix = `${basename(this.#path)}-staging-`;
    for (const file of readdirSync(dirname(this.#path))) {
      if (file.startsWith(prefix)) rmSync(join(dirname(this.#path), file), { force: true });
    }
  }

  async answers(): Promise<boolean> {
    return true;
  }

  async size(): Promise<DatabaseSize> {
    const files = [this.#path, `${this.#path}-wal`].filter((file) => existsSync(file));
    return { bytes: files.reduce((sum, file) => sum + statSync(file).size, 0), lost: [] };
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/** A reader on a separate connection, which ends with it, so that a long statement blocks no other. */
class SqliteView extends SqliteConnection implements ConsistentReader {
  readonly history = 0;
  readonly database: DatabaseSync;
  readonly #readOnly: ReadOnlyFile | undefined;

  constructor(database: DatabaseSync, readOnly: ReadOnlyFile | undefined) {
    super(database);
    this.database = database;
    this.#readOnly = readOnly;
  }

  protected override readNow<Row extends SqlValue[]>(
    wanted: Statement<Row>,
    ...parameters: SqlParameter[]
  ): Row[] {
    const rows = super.readNow(wanted, ...parameters);
    this.#readOnly?.mustBeUnchanged();
    return rows;
  }

  override *stream<Row extends SqlValue[]>(
    wanted: Statement<Row>,
    ...parameters: SqlParameter[]
  ): Iterable<Row> {
    yield* super.stream(wanted, ...parameters);
    this.#readOnly?.mustBeUnchanged();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.database.location() !== null) this.database.close();
  }
}
