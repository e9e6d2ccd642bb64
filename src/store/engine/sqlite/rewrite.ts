import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../domain/error.ts";
import { isBusy } from "./failure.ts";

/** How often a step is tried, in milliseconds. */
const POLL = 50;

/**
 * Writes a database file anew from what it holds, so that no page keeps what was deleted, and empties the log. Readers
 * continue meanwhile, writers wait. Throws a CommandError if others hold the file for longer than `patience`.
 */
export async function rewriteFile(database: DatabaseSync, path: string, patience: number): Promise<void> {
  const until = performance.now() + patience;
  const steps = [() => isRewritten(database), () => isLogEmptied(database)];
  for (const isDone of steps) {
    while (!isDone()) {
      if (performance.now() > until) {
        throw new CommandError(
          `The database ${path} cannot be written anew: it is held by another program, such as a report that is being written. Try again later.`,
        );
      }
      await sleep(POLL);
    }
  }
}

function isRewritten(database: DatabaseSync): boolean {
  try {
    database.exec("VACUUM");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Until the log is emptied, the file has the pages of before. */
function isLogEmptied(database: DatabaseSync): boolean {
  return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
}
