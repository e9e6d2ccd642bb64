/** Settings of a connection to a database file. */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "./failure.ts";

/** How long a command waits for another writer, and the interval of its attempts, in milliseconds. */
export const PATIENCE = 30_000;
export const POLL = 2;
/** A connection's cache in SQLite's notation: negative, in KiB. */
const CACHE = -32_768;
/**
 * The cache during imports; it also limits how much SQLite sorts in memory. Data that fits into the processor's caches
 * sorts in two thirds of the time, and appending rows needs no cache.
 */
const SORTING = -16_384;
/** Mapped bytes of the file, SQLite's maximum. Processes share them, and read them without a system call. */
const MAPPED = 2 ** 31 - 2 ** 16;

/** Sets a connection's modes. The first connection to a new file briefly needs exclusive access. */
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

/** Sets the memory limits of a connection. */
export function useMemory(database: DatabaseSync): void {
  database.exec(`PRAGMA cache_size = ${CACHE}; PRAGMA mmap_size = ${MAPPED}`);
}

/** Prepares a connection, to which a file is attached as `staging`, for an import. */
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
