import { existsSync } from "node:fs";
import { UsageError } from "../domain/error.ts";
import type { Engine } from "./engine.ts";
import { openSqlite } from "./sqlite/engine.ts";

/**
 * Opens the database that a URL names: `sqlite:PATH` (contract, section 9). `note` hears what a person should know,
 * such as a migration. Throws a UsageError for a URL of another kind, a CommandError for a database that cannot be used.
 */
export async function openEngine(url: string, note: (message: string) => void = () => {}): Promise<Engine> {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length)
    return openSqlite(url.slice("sqlite:".length), note);
  throw new UsageError("The database URL is not understood; accepted: sqlite:PATH or postgres://…");
}

/** Whether a URL names a database file that is not there: opening it would make an empty one. */
export function isMissing(url: string): boolean {
  const path = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : "";
  return path !== "" && path !== ":memory:" && !existsSync(path);
}
