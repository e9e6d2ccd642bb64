import { existsSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../domain/error.ts";
import {
  type Announcement,
  type Column,
  type Connection,
  type Engine,
  type Parameter,
  type Reader,
  type Staging,
  type Statement,
  statement,
} from "../engine.ts";
import { Changes } from "../changes.ts";
import { markChange, PUBLISHED, SEEN } from "../marks.ts";
import { migrate, SCHEMA, schemaOf } from "../../schema/migrations.ts";
import { SqliteConnection } from "./connection.ts";
import { copyDatabase } from "./copy.ts";
import { refuseCut } from "./cut.ts";
import { isBusy, toCommandError } from "./failure.ts";
import { takeLock } from "./lock.ts";
import { SqliteStaging } from "./staging.ts";
import { view } from "./view.ts";

/** SQLite's name for an in-memory database, which belongs to one connection. */
const MEMORY = ":memory:";
/** How long a command waits for another writer, and how often it tries, in milliseconds. */
const PATIENCE = 30_000;
const POLL = 2;
/**
 * How long (ms) the last `data_version` is trusted. Writers wait as long after committing (see `announce`), so that
 * no request is answered from the state before.
 */
const LEASE = 1;
/** The cache of a connection in SQLite's notation: negative, in KiB. */
const CACHE = -32_768;
/**
 * The cache while importing, when it also limits what SQLite sorts in memory. Data that fits the processor's caches
 * sorts in two thirds of the time, and appending needs no cache.
 */
const SORTING = -16_384;
/** Bytes of the file that are mapped, all that SQLite can: read without a call and a copy, shared by all processes. */
const MAPPED = 2 ** 31 - 2 ** 16;

/**
 * Opens a database file; creates it if it is missing, and migrates it to this program's schema. Throws a CommandError
 * for a file that is not a database, cannot be written or is newer than the program.
 */
export async function openSqlite(path: string, note: (message: string) => void): Promise<Engine> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 5000 });
    if (path !== MEMORY) refuseCut(path);
    await useLog(database);
    // Two names of one file share the lock of imports and the staging files.
    const engine = new SqliteEngine(path, path === MEMORY ? path : realpathSync(path), database);
    await engine.prepareSchema(note);
    return engine;
  } catch (cause) {
    database?.close();
    throw toCommandError(cause, path);
  }
}

/** Sets the modes of a connection. The first connection to a new file needs it exclusively for a moment. */
async function useLog(database: DatabaseSync): Promise<void> {
  for (const until = Date.now() + PATIENCE; ; await sleep(POLL)) {
    try {
      database.exec(
        `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = ${CACHE}; PRAGMA mmap_size = ${MAPPED}`,
      );
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
    }
  }
}

const DATA_VERSION = statement<[version: number]>(() => "PRAGMA data_version");

class SqliteEngine extends SqliteConnection implements Engine {
  readonly name: string;
  /** A file does not return to an earlier state. */
  readonly history = 0;
  readonly remote = false;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #changes = new Changes();
  /** SQLite's `data_version`, and when it was read. */
  #seen: number | undefined;
  #seenAt = -Infinity;
  #announced = false;

  /** `path` is the real path of the file, `given` the name in the URL. */
  constructor(given: string, path: string, database: DatabaseSync) {
    super(database);
    this.name = `sqlite:${given}`;
    this.#path = path;
    this.#database = database;
  }

  async prepareSchema(note: (message: string) => void): Promise<void> {
    const found = await this.transaction(async (connection) => {
      const schema = await schemaOf(connection);
      if (schema < SCHEMA) await migrate(connection, schema, this.#path);
      return schema;
    });
    if (found > SCHEMA) {
      throw new CommandError(
        `The database ${this.#path} has schema ${found}; this program knows ${SCHEMA}. Use a newer rolebook.`,
      );
    }
    if (found > 0 && found < SCHEMA) note(`Migrated ${this.#path} from schema ${found} to ${SCHEMA}.`);
  }

  /** Most commits are no such change: an import's rows, or the last use of a token. */
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

  /** Makes the next read check the change itself: `data_version` does not count our own commits. */
  #refresh(): void {
    this.#seen = undefined;
    this.#seenAt = -Infinity;
  }

  readFresh<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return this.read(wanted, ...parameters);
  }

  /** No notification is needed, since every process reads the file; but the transaction waits for them. */
  async announce(connection: Connection, announcement: Announcement): Promise<void> {
    await markChange(connection, announcement);
    this.#announced = true;
  }

  /** After an announced change, resolves when no process trusts the state before any more. */
  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const result = await this.#commit(work);
    if (this.#announced) {
      this.#announced = false;
      // A timer may fire early by the time that this turn of the event loop took.
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
      // What this connection read in its own transaction was visible to it alone.
      if (this.#announced) this.#changes.doubt();
      this.#refresh();
      this.#database.exec("PRAGMA synchronous = NORMAL");
    }
  }

  /** Neither waits for another writer nor runs a checkpoint that others have left. */
  async writeIfFree(wanted: Statement<never>, ...parameters: Parameter[]): Promise<number | undefined> {
    if (this.#database.isTransaction) return undefined;
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

  /** An import holds the lock most of the time and releases it briefly, so this tries often. */
  async #begin(): Promise<void> {
    const until = Date.now() + PATIENCE;
    // FULL: a reported commit, and everything written before it, survives a power failure.
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

  consistently<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#view((database) => work(new SqliteView(database)));
  }

  copyTo(file: string, progress: (part: number) => void): Promise<void> {
    return this.#view((database) => copyDatabase(database, file, progress));
  }

  /** Nobody else writes to an in-memory database. */
  #view<T>(work: (database: DatabaseSync) => Promise<T>): Promise<T> {
    return this.#path === MEMORY ? work(this.#database) : view(this.#path, work);
  }

  async importing<T>(
    work: (staging: Staging) => Promise<T>,
    waiting: () => void,
    patience?: number,
  ): Promise<T> {
    try {
      return await this.#importing(work, waiting, patience);
    } catch (error) {
      throw toCommandError(error, this.#path);
    }
  }

  async #importing<T>(
    work: (staging: Staging) => Promise<T>,
    waiting: () => void,
    patience: number | undefined,
  ): Promise<T> {
    const lock = await takeLock(this.#beside("-import"), waiting, patience);
    try {
      if (this.#path !== MEMORY) this.#sweepStagingFiles();
      const file = this.#beside(`-staging-${process.pid}`);
      this.#database.prepare("ATTACH ? AS staging").run(file);
      try {
        this.#database.exec(
          `PRAGMA staging.page_size = 8192; PRAGMA staging.journal_mode = OFF; PRAGMA staging.synchronous = OFF; PRAGMA staging.cache_size = -32768;
           PRAGMA main.cache_size = ${SORTING}; PRAGMA main.mmap_size = 0`,
        );
        return await work(new SqliteStaging(this.#database, this));
      } finally {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        this.#database.exec(
          `DETACH staging; PRAGMA main.cache_size = ${CACHE}; PRAGMA main.mmap_size = ${MAPPED}`,
        );
        if (file !== MEMORY) rmSync(file, { force: true });
      }
    } finally {
      lock.close();
    }
  }

  /** The path of a file beside the database. An in-memory database has no files. */
  #beside(suffix: string): string {
    return this.#path === MEMORY ? MEMORY : `${this.#path}${suffix}`;
  }

  /** Removes what killed imports left; the lock proves that none is running. */
  #sweepStagingFiles(): void {
    if (this.#path === MEMORY) return;
    const prefix = `${basename(this.#path)}-staging-`;
    for (const file of readdirSync(dirname(this.#path))) {
      if (file.startsWith(prefix)) rmSync(join(dirname(this.#path), file), { force: true });
    }
  }

  async size(): Promise<number> {
    const files = [this.#path, `${this.#path}-wal`].filter((file) => existsSync(file));
    return files.reduce((sum, file) => sum + statSync(file).size, 0);
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/** Reads on a separate connection, so that a long statement delays nobody. */
class SqliteView extends SqliteConnection implements Reader {
  readonly history = 0;
  readonly remote = false;
}
