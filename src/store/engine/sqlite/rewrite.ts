import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../domain/error.ts";
import { isBusy } from "./failure.ts";

/** The interval between attempts of a step, in milliseconds. */
const POLL = 50;

/**
 * Rewrites a database file so that no page contains deleted rows, and empties the write-ahead log. Readers continue;
 * writers wait. Throws a CommandError if other processes hold the file for more than `patience` milliseconds.
 */
export async function rewriteFile(database: DatabaseSync, path: string, patience: number): Promise<void> {
  const until = performance.now() + patience;
  const steps = [() => isRewritten(database), () => isLogEmptied(database)];
  for (const isDone of steps) {
    while (!isDone()) {
      if (performance.now() > until) {
        throw new CommandError(
          `The database ${path} cannot be rewritten, because another program uses it (such as a report that is being written). Run the command again when that has ended.`,
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

/** Tries to empty the write-ahead log (WAL), and returns whether it is empty. The log keeps old pages until then. */
function isLogEmptied(database: DatabaseSync): boolean {
  return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
}
