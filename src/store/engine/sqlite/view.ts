import { DatabaseSync } from "node:sqlite";

/**
 * Runs `work` on a separate connection that sees the file as it is now until `work` has ended. Writers continue;
 * their changes stay in the write-ahead log until then.
 */
export async function view<T>(path: string, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    // A transaction takes its snapshot at its first read.
    database.exec("BEGIN; SELECT max(number) FROM migration");
    return await work(database);
  } finally {
    database.close();
  }
}
