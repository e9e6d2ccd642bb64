import { DatabaseSync } from "node:sqlite";

/**
 * Runs `work` on a connection of its own that sees the file as it is now until `work` has ended. Writers go on
 * meanwhile; what they write stays in the write-ahead log until then.
 */
export async function view<T>(path: string, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    // A transaction begins to see at its first read.
    database.exec("BEGIN; SELECT max(number) FROM migration");
    return await work(database);
  } finally {
    database.close();
  }
}
