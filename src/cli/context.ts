import { CommandError, UsageError } from "../domain/error.ts";
import { isMissing, openEngine } from "../store/engine/open.ts";
import { Store } from "../store/store.ts";
import { readSettings, type Settings } from "./settings/settings.ts";
import { SETTINGS } from "./settings/table.ts";

/** The settings and the database of a command. */
export interface Context {
  readonly settings: Settings;
  readonly store: Store;
}

/**
 * Runs a command on the configured database and then closes it. A missing file is created. `note` receives messages
 * about the database.
 */
export async function withStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
  note = say,
): Promise<T> {
  return run(database, readSettings(process.env, database), work, note);
}

/** An empty in-memory database, used if the configured one does not exist. */
const NONE = "sqlite::memory:";

/** Runs a command that only reads. A missing database counts as an empty one and is not created. */
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

/** Runs a command that needs an existing database. Throws a CommandError if it is missing. */
export async function withExistingStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  const missing = missingDatabase(settings);
  if (missing !== undefined) throw new CommandError(missing);
  return run(database, settings, work, say);
}

/** The message for a database file that is missing; `undefined` if it exists. */
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

/** Runs work that parses the database's URL. Errors name the option or setting that contains the URL. */
export async function namingDatabase<T>(given: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const name = given === undefined ? SETTINGS.database.name : "--database";
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

/** Writes a message to standard error. Only results go to standard output (contract, section 9). */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Writes a line of the result. Resolves when more can be written. */
export async function print(line: string): Promise<void> {
  await write(`${line}\n`);
}

/** Writes a part of the result. Resolves when more can be written. */
export async function write(piece: string | Buffer): Promise<void> {
  if (process.stdout.write(piece)) return;
  await new Promise<void>((resolve) => {
    process.stdout.once("drain", resolve);
  });
}
