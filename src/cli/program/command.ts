import type { Command } from "commander";
import { DATABASE_URLS } from "../../store/engine/engine.ts";

const DATABASE = [
  "--database <url>",
  `${DATABASE_URLS} (default: ROLEBOOK_DATABASE_URL, or sqlite:rolebook.db)`,
] as const;

/** Adds a command that uses the database. */
export function add(parent: Command, name: string): Command {
  return parent.command(name).option(...DATABASE);
}

/** Adds a command that writes files to the database, with the options that all such commands have. */
export function addWriting(parent: Command, name: string): Command {
  return add(parent, name)
    .option("--dry-run", "check and compare, change nothing")
    .option("--details", "list each record that is added, changed or removed, and each token that is deleted")
    .option("--format <format>", "table, csv or ndjson, for --details")
    .option("--complete", "refuse a file without an end record, which proves that the file is complete")
    .option(
      "--allow-removals",
      "override the guard: allow many removals, new admins, guests who become members, or opened contents",
    );
}

/** Loads a command's module only when the command runs, so that other commands start faster. */
export function lazily<Args extends unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void>>,
): (...args: Args) => Promise<void> {
  return async (...args) => (await load())(...args);
}
