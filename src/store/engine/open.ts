/** Opens and migrates the database at a URL. The only file that knows which engines there are. */
import { existsSync } from "node:fs";
import { UsageError } from "../../domain/error.ts";
import { DATABASE_URLS, type Engine, fileOf, isPostgresUrl } from "./engine.ts";
import { SCHEMA } from "../schema/migrations.ts";
import { openSqlite } from "./sqlite/engine.ts";

/**
 * Opens the database at a URL: `sqlite:PATH` or `postgres://…` (docs/operations.md). `note` receives messages for
 * the operator, such as a migration. Throws a UsageError for any other URL, and a CommandError for a database that
 * cannot be used.
 */
export async function openEngine(url: string, note: (message: string) => void = () => {}): Promise<Engine> {
  const file = fileOf(url);
  if (file !== undefined) return openSqlite(file, note);
  // Loaded on demand, so that a server with a SQLite file starts without the driver.
  if (isPostgresUrl(url)) return (await import("./postgres/engine.ts")).openPostgres(url, note);
  throw new UsageError(`The database URL is not understood; accepted: ${DATABASE_URLS}.`);
}

/**
 * Migrates the database at a URL to this program's schema, and says what it did. A SQLite file is migrated whenever it
 * is opened. Throws as {@link openEngine} does.
 */
export async function migrateDatabase(url: string): Promise<string> {
  if (isPostgresUrl(url)) {
    const { migratePostgres } = await import("./postgres/engine.ts");
    const { name, before } = await migratePostgres(url);
    return before === SCHEMA ? upToDate(name) : `Migrated ${name} from schema ${before} to ${SCHEMA}.`;
  }
  const isNew = isMissing(url);
  let done: string | undefined;
  const engine = await openEngine(url, (message) => (done = message));
  await engine.close();
  return isNew ? `Created ${engine.name} with schema ${SCHEMA}.` : (done ?? upToDate(engine.name));
}

function upToDate(name: string): string {
  return `The database ${name} has schema ${SCHEMA}, which this program uses; nothing to do.`;
}

/** Whether a URL names a database file that does not exist: opening it would create an empty one. */
export function isMissing(url: string): boolean {
  const file = fileOf(url);
  return file !== undefined && file !== ":memory:" && !existsSync(file);
}
