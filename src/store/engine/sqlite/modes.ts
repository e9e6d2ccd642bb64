/** Settings of connections to a database file. */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "./failure.ts";

/** How long a command waits for another writer, and the interval between its attempts, in milliseconds. */
export const PATIENCE = 30_000;
export const POLL = 2;
/** A connection's page cache. SQLite reads a negative number as KiB. */
const CACHE = -32_768;
/**
 * The page cache during imports, which also limits how much SQLite sorts in memory. Sorting takes a third less time if
 * the data fits into the processor's caches, and appending rows needs no page cache.
 */
const SORTING = -16_384;
/**
 * The number of memory-mapped bytes, the maximum that SQLite accepts. Processes share mapped pages, and read them
 * without a system call.
 */
const MAPPED = 2 ** 31 - 2 ** 16;

/**
 * Sets a connection's modes. The first connection to a new file briefly needs exclusive access, so this may wait for up
 * to {@link PATIENCE}.
 */
export async function useLog(database: DatabaseSync): Promise<void> {
  for (const until = Date.now() + PATIENCE; ; await sleep(POLL)) {
    try {
      database.exec("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      useMemory(database);
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
    }
  }
}

export function useMemory(database: DatabaseSync): void {
  database.exec(`PRAGMA cache_size = ${CACHE}; PRAGMA mmap_size = ${MAPPED}`);
}

/** Prepares a connection for an import. The staging file must be attached to the connection as `staging`. */
export function beginImporting(database: DatabaseSync): void {
  database.exec(
    `PRAGMA staging.page_size = 8192; PRAGMA staging.synchronous = OFF; PRAGMA staging.cache_size = -32768; PRAGMA staging.mmap_size = 0;
     PRAGMA main.cache_size = ${SORTING}; PRAGMA main.mmap_size = 0`,
  );
}

/** Detaches the staging file, and restores the memory limits. */
export function endImporting(database: DatabaseSync): void {
  database.exec("DETACH staging");
  useMemory(database);
}
