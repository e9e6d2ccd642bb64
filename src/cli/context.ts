import { CommandError } from "../domain/error.ts";
import { isMissing, openEngine } from "../store/open.ts";
import { Store } from "../store/store.ts";
import { readSettings, type Settings } from "./settings.ts";

/** What a command works with. */
export interface Context {
  readonly settings: Settings;
  readonly store: Store;
}

/**
 * Runs a command on the database that the settings name, making it when it is a file that is missing, and closes it
 * whatever happens.
 */
export async function withStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return run(readSettings(process.env, database), work);
}

/** Runs a command that only makes sense on a database that is there. Throws a CommandError where it is not. */
export async function withExistingStore<T>(
  database: string | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  if (isMissing(settings.database)) {
    throw new CommandError(
      `There is no database ${settings.database}. Make it with rolebook import FILE, ` +
        "or name another one with --database or ROLEBOOK_DATABASE_URL.",
    );
  }
  return run(settings, work);
}

async function run<T>(settings: Settings, work: (context: Context) => Promise<T>): Promise<T> {
  const engine = await openEngine(settings.database, say);
  try {
    return await work({ settings, store: new Store(engine) });
  } finally {
    await engine.close();
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
