import { DatabaseSync } from "node:sqlite";
import { useMemory } from "./modes.ts";

/**
 * Runs `work` on a separate connection that sees the file as it is now. Writers continue; until `work` has ended, the
 * write-ahead log keeps their changes.
 */
export async function view<T>(path: string | URL, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    useMemory(database);
    // The transaction sees the file as it is at its first read, so it reads something at once.
    database.exec("BEGIN; SELECT max(number) FROM migration");
    return await work(database);
  } finally {
    database.close();
  }
}
