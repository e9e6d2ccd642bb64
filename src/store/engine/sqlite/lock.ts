import { DatabaseSync } from "node:sqlite";
import { waitForLock } from "../wait-for-lock.ts";
import { isBusy } from "./failure.ts";

/**
 * Takes a lock that the operating system releases when the process ends: a transaction on an empty database file. Close
 * the returned database to release the lock.
 */
export async function takeLock(
  path: string,
  waiting: () => void,
  patience: number | undefined,
): Promise<DatabaseSync> {
  const lock = new DatabaseSync(path, { timeout: 0 });
  const take = () => {
    try {
      lock.exec("BEGIN EXCLUSIVE");
      return lock;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return undefined;
    }
  };
  try {
    return await waitForLock(take, waiting, patience);
  } catch (error) {
    lock.close();
    throw error;
  }
}
