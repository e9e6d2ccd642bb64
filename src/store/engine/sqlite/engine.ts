import { existsSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../domain/error.ts";
import {
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
import { type Announcement, markChange, PUBLISHED, SEEN } from "../marks.ts";
import { migrate, SCHEMA, schemaOf } from "../../schema/migrations.ts";
import { SqliteConnection } from "./connection.ts";
import { copyDatabase } from "./copy.ts";
import { refuseCut } from "./cut.ts";
import { isBusy, toCommandError } from "./failure.ts";
import { takeLock } from "./lock.ts";
import { SqliteStaging } from "./staging.ts";
import { view } from "./view.ts";

/** SQLite's name for a database that is in no file: of one connection alone, and gone with it. */
const MEMORY = ":memory:";
/** How long a command waits for another writer, and how often it looks, in milliseconds. */
const PATIENCE = 30_000;
const LOOK = 2;
/**
 * How long what other processes were seen to have committed may be taken for all, in milliseconds. Whoever changes
 * something waits as long before the change counts as made (see `announce`), so that no request is answered from what
 * was before.
 */
const LEASE = 1;
/** The cache of a connection, as SQLite takes it: negative, in KiB. */
const CACHE = -32_768;
/**
 * The same while importing, when it is also what SQLite sorts at a time before it merges. What fits the processor's
 * caches is sorted in two thirds of the time that more takes, and who appends needs no cache of the database.
 */
const SORTING = -16_384;

/**
 * Opens a database file, making it when it is missing and bringing an older one up to this program's schema.
 * Throws a CommandError for a file that is no database, cannot be written or is newer than the program.
 */
export async function openSqlite(path: string, note: (message: string) => void): Promise<Engine> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 5000 });
    if (path !== MEMORY) refuseCut(path);
    await useLog(database);
    // Two names of one file share the lock of imports and what they leave behind.
    const engine = new SqliteEngine(path, path === MEMORY ? path : realpathSync(path), database);
    await engine.prepareSchema(note);
    return engine;
  } catch (cause) {
    database?.close();
    throw toCommandError(cause, path);
  }
}

/** Sets the modes of a connection. The first one to a new file wants it for itself for a moment. */
async function useLog(database: DatabaseSync): Promise<void> {
  for (const until = Date.now() + PATIENCE; ; await sleep(LOOK)) {
    try {
      database.exec(
        `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = ${CACHE}`,
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
  /** A file does not go back. */
  readonly history = 0;
  readonly remote = false;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #changes = new Changes();
  /** SQLite's number of what others committed, and when it was looked at. */
  #seen: number | undefined;
  #seenAt = -Infinity;
  #announced = false;

  /** `path` is the file's own, `given` the name by which it was asked for. */
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

  /** Most of what is committed is no such change: an import's rows, and when a token was last used. */
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

  /** Sees to it that the next look is a look at the change itself: SQLite's number does not tell of our own. */
  #look(): void {
    this.#seen = undefined;
    this.#seenAt = -Infinity;
  }

  readFresh<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return this.read(wanted, ...parameters);
  }

  /** Nobody is told, since every process looks at the file itself; but they are waited for. */
  async announce(connection: Connection, announcement: Announcement): Promise<void> {
    await markChange(connection, announcement);
    this.#announced = true;
  }

  /** After an announced change it resolves when no process takes what was before for current any more. */
  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const result = await this.#commit(work);
    if (this.#announced) {
      this.#announced = false;
      // A timer may be early by as long as this turn of the event loop has taken.
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
      // What this connection saw of its own transaction was for it alone.
      if (this.#announced) this.#changes.doubt();
      this.#look();
      this.#database.exec("PRAGMA synchronous = NORMAL");
    }
  }

  /** Neither waits for another writer nor does the work of a checkpoint that others have left. */
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

  /** An import holds the lock most of the time and lets go briefly: look often rather than sleep long. */
  async #begin(): Promise<void> {
    const until = Date.now() + PATIENCE;
    // FULL: what is reported as done outlives a power failure, and so does all that was written before it.
    this.#database.exec("PRAGMA busy_timeout = 0; PRAGMA synchronous = FULL");
    try {
      for (;;) {
        try {
          this.#database.exec("BEGIN IMMEDIATE");
          return;
        } catch (error) {
          if (!isBusy(error) || Date.now() > until) throw toCommandError(error, this.#path);
        }
        await sleep(LOOK);
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

  /** Nobody else writes to a database in memory. */
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
           PRAGMA main.cache_size = ${SORTING}`,
        );
        return await work(new SqliteStaging(this.#database, this));
      } finally {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        this.#database.exec(`DETACH staging; PRAGMA main.cache_size = ${CACHE}`);
        if (file !== MEMORY) rmSync(file, { force: true });
      }
    } finally {
      lock.close();
    }
  }

  /** The path of a file that belongs to the database's; beside a database in memory there are no files. */
  #beside(suffix: string): string {
    return this.#path === MEMORY ? MEMORY : `${this.#path}${suffix}`;
  }

  /** Removes what killed imports left; the lock says that none of them lives. */
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

/** Reads of a connection that nothing else waits for: a long statement may take its time. */
class SqliteView extends SqliteConnection implements Reader {
  readonly history = 0;
  readonly remote = false;
}
