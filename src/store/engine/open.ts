import { existsSync } from "node:fs";
import { UsageError } from "../../domain/error.ts";
import type { Engine } from "./engine.ts";
import { SCHEMA } from "../schema/migrations.ts";
import { openSqlite } from "./sqlite/engine.ts";
import { fileOf, isPostgresUrl } from "./url.ts";

/**
 * Opens the database that a URL names: `sqlite:PATH` or `postgres://…` (contract, section 9). `note` hears what a
 * person should know, such as a migration. Throws a UsageError for a URL of another kind, a CommandError for a database
 * that cannot be used.
 */
export async function openEngine(url: string, note: (message: string) => void = () => {}): Promise<Engine> {
  const file = fileOf(url);
  if (file !== undefined) return openSqlite(file, note);
  // Loaded where it is used: a server on a file starts without the driver.
  if (isPostgresUrl(url)) return (await import("./postgres/engine.ts")).openPostgres(url, note);
  throw new UsageError("The database URL is not understood; accepted: sqlite:PATH or postgres://…");
}

/** What a migration found and left: numbers of schemas, 0 for a database without any. */
export interface Migration {
  /** The database as its users name it, without credentials. */
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Brings the schema of the database that a URL names up to this program's. A SQLite file needs no such thing: it is
 * migrated whenever it is opened. Throws as {@link openEngine} does.
 */
export async function migrateDatabase(url: string): Promise<Migration> {
  if (isPostgresUrl(url)) {
    const { migratePostgres } = await import("./postgres/migrate.ts");
    return { ...(await migratePostgres(url)), after: SCHEMA };
  }
  const engine = await openEngine(url);
  await engine.close();
  return { name: engine.name, before: SCHEMA, after: SCHEMA };
}

/** Whether a URL names a database file that is not there: opening it would make an empty one. */
export function isMissing(url: string): boolean {
  const file = fileOf(url);
  return file !== undefined && file !== ":memory:" && !existsSync(file);
}
