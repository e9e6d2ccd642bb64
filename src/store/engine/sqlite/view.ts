import { DatabaseSync } from "node:sqlite";
import { useMemory } from "./modes.ts";

/**
 * Runs `work` on a separate connection that sees the file as it is now until `work` has ended. Writers continue; the
 * write-ahead log keeps their changes until then.
 */
export async function view<T>(path: string, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    useMemory(database);
    // A transaction's snapshot begins with its first read.
    database.exec("BEGIN; SELECT max(number) FROM migration");
    return await work(database);
  } finally {
    database.close();
  }
}
