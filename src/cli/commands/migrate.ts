import { migrateDatabase } from "../../store/engine/open.ts";
import { namingDatabase } from "../database.ts";
import { readSettings } from "../settings.ts";
import { say } from "../terminal.ts";
import type { CommandOptions } from "../command-table.ts";

/** `rolebook database migrate`: the only command that changes the schema of a PostgreSQL database. */
export async function migrateDatabaseCommand(options: CommandOptions<"database migrate">): Promise<void> {
  const { database: url } = readSettings(process.env, options.database);
  say(await namingDatabase(options.database, () => migrateDatabase(url)));
}
