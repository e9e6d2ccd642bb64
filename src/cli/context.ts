import { CommandError, UsageError } from "../domain/error.ts";
import { isMissing, openEngine } from "../store/engine/open.ts";
import { Store } from "../store/store.ts";
import { readSettings, type Settings } from "./settings/settings.ts";
import { SETTINGS } from "./settings/table.ts";

/** What a command works with. */
export interface Context {
  readonly settings: Settings;
  readonly store: Store;
}

/**
 * Runs a command on the database that the settings name, making it when it is a file that is missing, and closes it
 * whatever happens. `note` hears what a person should know of the database.
 */
export async function withStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
  note = say,
): Promise<T> {
  return run(database, readSettings(process.env, database), work, note);
}

/** The database that an empty one is compared with: gone with its process. */
const NONE = "sqlite::memory:";

/** Runs a command that changes nothing, on an empty database where there is none: it makes none. */
export async function withStoreOrNone<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  if (!isMissing(settings.database)) return run(database, settings, work, say);
  say(
    `There is no database ${settings.database} yet, so this compares with an empty one; rolebook import FILE makes it.`,
  );
  return run(database, { ...settings, database: NONE }, work, say);
}

/** Runs a command that only makes sense on a database that is there. Throws a CommandError where it is not. */
export async function withExistingStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  const missing = missingDatabase(settings);
  if (missing !== undefined) throw new CommandError(missing);
  return run(database, settings, work, say);
}

/** What to say where the database is a file that is not there; `undefined` where it is. */
export function missingDatabase({ database }: Settings): string | undefined {
  if (!isMissing(database)) return undefined;
  return (
    `There is no database ${database}. Make it with rolebook import FILE, ` +
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

/** Runs what reads the database's URL, which only its engine understands: an error names where it was `given`. */
export async function namingDatabase<T>(given: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const name = given === undefined ? SETTINGS.database.name : "--database";
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

/** Says something to the person at the terminal; results alone go to standard output (contract, section 9). */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Writes a line of a result. Resolves when more can be written. */
export async function print(line: string): Promise<void> {
  await write(`${line}\n`);
}

/** Writes a piece of a result. Resolves when more can be written. */
export async function write(piece: string | Buffer): Promise<void> {
  if (process.stdout.write(piece)) return;
  await new Promise<void>((resolve) => {
    process.stdout.once("drain", resolve);
  });
}
