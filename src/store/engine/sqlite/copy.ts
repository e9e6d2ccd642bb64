import { linkSync, openSync, closeSync, renameSync, rmSync, existsSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { CommandError } from "../../../domain/error.ts";

/** Database pages per step of a copy, some tens of megabytes. Progress is reported after each step. */
const PAGES_A_STEP = 8192;
/** The file mode of a copy, which contains names and e-mail addresses. */
const OWNER_ONLY = 0o600;

/**
 * Copies a database to a new file. The copy has a temporary name until it has been checked. `database` must be inside a
 * transaction, so that the copy is consistent and other writers do not make it start again. Throws a CommandError if
 * the file exists or cannot be written, or if the copy is incomplete.
 */
export async function copyDatabase(
  database: DatabaseSync,
  file: string,
  progress: (part: number) => void,
  pagesAStep = PAGES_A_STEP,
): Promise<void> {
  if (existsSync(file)) throw exists(file);
  const partial = `${file}-partial-${process.pid}`;
  try {
    closeSync(openSync(partial, "wx", OWNER_ONLY));
    await backup(database, partial, {
      rate: pagesAStep,
      progress: ({ totalPages, remainingPages }) => progress(1 - remainingPages / totalPages),
    });
    progress(1);
    check(partial, database);
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
function check(partial: string, source: DatabaseSync): void {
  const copy = new DatabaseSync(partial);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    const found = copy.prepare("PRAGMA integrity_check").get()?.integrity_check;
    if (found !== "ok") throw new CommandError(`The copy is damaged (${String(found)}). Nothing was kept.`);
    if (contentsOf(copy) !== contentsOf(source)) {
      throw new CommandError("The copy differs from the database. Nothing was kept.");
    }
  } finally {
    copy.close();
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
    if (existsSync(file)) throw exists(file);
    // A file system without links needs the rename.
    if (!(error instanceof Error)) throw error;
    renameSync(partial, file);
  }
}

function exists(file: string): CommandError {
  return new CommandError(`The file ${file} exists; a backup never overwrites one. Nothing was changed.`);
}
