import { CommandError, UsageError } from "../domain/error.ts";
import { isMissing, openEngine } from "../store/engine/open.ts";
import { Store } from "../store/store.ts";
import { readSettings, type Settings } from "./settings/settings.ts";
import { SETTINGS } from "./settings/table.ts";

export interface Context {
  readonly settings: Settings;
  readonly store: Store;
}

/**
 * Runs a command on the configured database, and closes the database afterwards. A missing file is created. `note`
 * receives messages about the database.
 */
export async function withStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
  note = say,
): Promise<T> {
  return run(database, readSettings(process.env, database), work, note);
}

const NONE = "sqlite::memory:";

/** Runs a command that only reads. A missing database is not created; the command sees an empty one. */
export async function withStoreOrNone<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  if (!isMissing(settings.database)) return run(database, settings, work, say);
  say(
    `There is no database ${settings.database} yet, so this compares with an empty one; rolebook import FILE creates it.`,
  );
  return run(database, { ...settings, database: NONE }, work, say);
}

/** Runs a command on a database that must exist. Throws a CommandError if it does not. */
export async function withExistingStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  const missing = missingDatabase(settings);
  if (missing !== undefined) throw new CommandError(missing);
  return run(database, settings, work, say);
}

/** What to say if the database file does not exist; `undefined` if it exists. */
export function missingDatabase({ database }: Settings): string | undefined {
  if (!isMissing(database)) return undefined;
  return (
    `There is no database ${database}. Create it with rolebook import FILE, ` +
    "or name another one with --database or ROLEBOOK_DATABASE_URL."
  );
}

async function run<T>(
  given: string | undefined,
  settings: Settings,
  work: (context: Context) => Promise<T>,
  note: (message: string) => void,
): Promise<T> {
  const engine = await namingDatabase(given, () => openEngine(settings.database, note));
  try {
    return await work({ settings, store: new Store(engine) });
  } finally {
    await engine.close();
  }
}

/** Runs work that opens the database. A UsageError in it gets the name of the option or setting that has the URL. */
export async function namingDatabase<T>(given: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const name = given === undefined ? SETTINGS.database.name : "--database";
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

/** Writes a message to standard error. Standard output is for results (contract, section 9). */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** For commands that take turns with imports: another one must end first. */
export function sayWaiting(): void {
  say("Waiting for an import to end …");
}

/** Writes a line of the result. Resolves when the reader can take more. */
export async function print(line: string): Promise<void> {
  await write(`${line}\n`);
}

/** Writes a part of the result. Resolves when the reader can take more. */
export async function write(piece: string | Buffer): Promise<void> {
  if (process.stdout.write(piece)) return;
  await new Promise<void>((resolve) => {
    process.stdout.once("drain", resolve);
  });
}
