/**
 * What is done with a whole database file: reading one that cannot be written, locking, checking for one that was cut,
 * copying, rewriting, and viewing it beside its writers.
 */
import { CommandError, DatabaseFileError } from "../../../domain/error.ts";
import { limit } from "../../limit.ts";
import { createPrivate, followLinks } from "../../private-file.ts";
import { waitForLock } from "../engine.ts";
import { isBusy, useMemory } from "./connection.ts";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, backup } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** SQLite's name for an in-memory database. Only one connection can use such a database. */
export const MEMORY = ":memory:";
/** SQLite's name for a new file in the folder for temporary files. The file has no name, and ends with the process. */
export const TEMPORARY = "";

/** The path of a file next to the database. An in-memory database has none. */
export function beside(database: string, suffix: string): string {
  return database === MEMORY ? MEMORY : `${database}${suffix}`;
}

/** Files beside a database that have some of its changes while a program writes it, or after one was killed. */
const LOGS = ["-wal", "-journal"];

/**
 * A database file that cannot be written, and that nobody may write meanwhile: SQLite reads it without locks, and looks
 * for changes nowhere but in the file.
 */
export class ReadOnlyFile {
  readonly #path: string;
  readonly #state: string;
  /** How long a look at the file is trusted, in milliseconds, and when it was taken. */
  readonly #lease: number;
  #seenAt = -Infinity;

  /** Throws a CommandError if another program writes the file, or was killed while it did. */
  constructor(path: string, lease: number) {
    const log = logOf(path);
    if (log !== undefined) {
      throw new CommandError(
        `The database ${path} cannot be read: it is read-only, and ${log} shows that another program uses it or was killed; open it once where it can be written, such as with rolebook status, or use a copy made by rolebook backup.`,
      );
    }
    this.#path = path;
    this.#lease = lease;
    this.#state = stateOf(path);
  }

  /** For SQLite: opens the file without locks. */
  get url(): URL {
    const url = pathToFileURL(this.#path);
    url.search = "mode=ro&immutable=1";
    return url;
  }

  get refusal(): DatabaseFileError {
    return new DatabaseFileError(`The database ${this.#path} cannot be written: it is read-only.`);
  }

  /** Throws a DatabaseFileError if the file was changed or replaced, or if a program has opened it to write. */
  mustBeUnchanged(): void {
    const now = performance.now();
    if (now - this.#seenAt < this.#lease) return;
    if (stateOf(this.#path) !== this.#state || logOf(this.#path) !== undefined) {
      throw new DatabaseFileError(
        `The database ${this.#path} was opened read-only, and another program writes it; open it again when that has ended.`,
      );
    }
    this.#seenAt = now;
  }
}

/** Whether SQLite cannot write an existing file, or cannot make the file beside it that every write needs. */
export function isReadOnly(path: string): boolean {
  return !isWritable(path) || !(isWritable(dirname(path)) || existsSync(`${path}-wal`));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function logOf(path: string): string | undefined {
  return LOGS.map((suffix) => path + suffix).find((log) => existsSync(log));
}

function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : [found.dev, found.ino, found.size, found.mtimeNs].join(" ");
}

/**
 * Creates a file that SQLite is about to open, if there is none: SQLite would create it with the mode that the umask
 * gives. Its log and shared memory get the mode of the database from SQLite.
 */
export function createForSqlite(path: string): void {
  if (path !== MEMORY && path !== TEMPORARY) attempt(() => closeSync(createPrivate(followLinks(path))));
}

/** As {@link createForSqlite}, with the mode and the owner of the database, so that whoever may write that may lock it. */
function createLock(path: string, database: string): void {
  if (path === MEMORY) return;
  attempt(() => {
    const file = createPrivate(path);
    try {
      const { mode, uid, gid } = statSync(database);
      fchmodSync(file, mode & 0o777);
      if (process.geteuid?.() === 0) fchownSync(file, uid, gid);
    } finally {
      closeSync(file);
    }
  });
}

/** If a file cannot be created, it exists, or SQLite says why. */
function attempt(create: () => void): void {
  try {
    create();
  } catch {}
}

/**
 * Takes the import lock of a database, which the operating system releases when the process ends: a transaction on an
 * empty database file. Close the returned database to release the lock.
 */
export async function takeLock(
  database: string,
  waiting: () => void,
  patience: number | undefined,
): Promise<DatabaseSync> {
  const path = beside(database, "-import");
  createLock(path, database);
  const lock = new DatabaseSync(path, { timeout: 0 });
  const take = () => {
    try {
      lock.exec("BEGIN EXCLUSIVE");
      return lock;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return undefined;
    }
  };
  try {
    return await waitForLock(take, waiting, patience);
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * The length of a SQLite file's header, in bytes. It has the page size and the number of pages, both big-endian
 * (SQLite's file format, section 1.3).
 */
const HEADER = 100;
const PAGE_SIZE = 16;
const PAGES = 28;

/**
 * Throws a CommandError for a truncated database file, which SQLite would open and then fail on a missing page. A file
 * with a write-ahead log is not checked, because the log may contain the missing pages.
 */
export function refuseCut(path: string): void {
  const size = sizeOf(path);
  if (size === 0 || sizeOf(`${path}-wal`) > 0) return;
  const header = Buffer.alloc(HEADER);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, HEADER, 0);
  } finally {
    closeSync(file);
  }
  if (!header.toString("latin1").startsWith("SQLite format 3\0")) return;
  const pageSize = header.readUInt16BE(PAGE_SIZE);
  const wanted = header.readUInt32BE(PAGES) * (pageSize === 1 ? 65_536 : pageSize);
  if (size >= wanted) return;
  throw new CommandError(
    `The database ${path} is truncated: it has ${size} of ${wanted} bytes. Restore a backup, or import into a new file.`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Database pages per step of a copy, some tens of megabytes. Progress is reported after each step. */
const PAGES_A_STEP = limit("copy.pages-a-step", 8192);

/**
 * Copies a database to a new file. The copy has a temporary name until it has been checked. `database` must be inside a
 * transaction, so that the copy is consistent and other writers do not make it start again. Throws a CommandError if
 * the file exists or cannot be written, or if the copy is incomplete.
 */
export async function copyDatabase(
  database: DatabaseSync,
  file: string,
  progress: (part: number) => void,
): Promise<void> {
  if (isThere(file)) throw alreadyThere(file);
  const partial = `${file}-partial-${process.pid}`;
  try {
    closeSync(createPrivate(partial));
    await backup(database, partial, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => progress(1 - remainingPages / totalPages),
    });
    progress(1);
    checkCopy(partial, database);
    giveName(partial, file);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`The backup ${file} cannot be written: ${reason}. Nothing was kept.`, { cause });
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(partial + suffix, { force: true });
  }
}

/** Opens the copy, converts it to a single file and reads all of it. */
function checkCopy(partial: string, source: DatabaseSync): void {
  using copy = new DatabaseSync(partial);
  copy.exec("PRAGMA journal_mode = DELETE");
  const found = copy.prepare("PRAGMA integrity_check").get()?.integrity_check;
  if (found !== "ok") throw new CommandError(`The copy is damaged (${String(found)}). Nothing was kept.`);
  if (contentsOf(copy) !== contentsOf(source)) {
    throw new CommandError("The copy differs from the database. Nothing was kept.");
  }
}

/** Schema versions, organizations and tokens as one text, for comparison. */
function contentsOf(database: DatabaseSync): string {
  const all = (sql: string) => database.prepare(sql).all();
  return JSON.stringify([
    all("SELECT number FROM migration ORDER BY number"),
    all("SELECT id, revision, earliest FROM organization ORDER BY id"),
    all("SELECT id FROM token ORDER BY id"),
  ]);
}

/** Gives the copy its name by a link. Unlike a rename, a link does not replace a file that was created meanwhile. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (isThere(file)) throw alreadyThere(file);
    // A file system without links needs the rename.
    if (!(error instanceof Error)) throw error;
    renameSync(partial, file);
  }
}

/** Also a link that leads nowhere, which a rename would replace. */
function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function alreadyThere(file: string): CommandError {
  return new CommandError(`The file ${file} exists; a backup never overwrites one. Nothing was changed.`);
}

/** The interval between attempts of a step, in milliseconds. */
const REWRITE_POLL = 50;

/**
 * Rewrites a database file so that no page contains deleted rows, and empties the write-ahead log. Readers continue;
 * writers wait. Throws a CommandError if other processes hold the file for more than `patience` milliseconds.
 */
export async function rewriteFile(database: DatabaseSync, path: string, patience: number): Promise<void> {
  const until = performance.now() + patience;
  const steps = [() => isRewritten(database), () => isLogEmptied(database)];
  for (const isDone of steps) {
    while (!isDone()) {
      if (performance.now() > until) {
        throw new CommandError(
          `The database ${path} cannot be rewritten, because another program uses it (such as a report that is being written). Run the command again when that has ended.`,
        );
      }
      await sleep(REWRITE_POLL);
    }
  }
}

function isRewritten(database: DatabaseSync): boolean {
  try {
    database.exec("VACUUM");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Tries to empty the write-ahead log (WAL), and returns whether it is empty. The log keeps old pages until then. */
function isLogEmptied(database: DatabaseSync): boolean {
  return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
}

/**
 * A separate connection that sees the file as it is now, until it is closed. Writers continue; until then, the
 * write-ahead log keeps their changes.
 */
export function openView(path: string | URL): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    useMemory(database);
    // The transaction sees the file as it is at its first read, so it reads something at once.
    database.exec("BEGIN; SELECT max(number) FROM migration");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
