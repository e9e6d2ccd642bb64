import { migrateDatabase } from "../store/open.ts";
import { say } from "./context.ts";
import { readSettings } from "./settings.ts";

/** `rolebook database migrate`: a PostgreSQL database gets this program's schema by this command alone. */
export async function migrateDatabaseCommand(options: { database?: string }): Promise<void> {
  const { before, after } = await migrateDatabase(readSettings(process.env, options.database).database);
  if (before === after)
    say(`The database has schema ${after}, which this program works with; nothing to do.`);
  else say(`Migrated the database from schema ${before} to ${after}.`);
}
