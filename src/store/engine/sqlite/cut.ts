import { closeSync, openSync, readSync, statSync } from "node:fs";
import { CommandError } from "../../../domain/error.ts";

/**
 * The length of a SQLite file's header, in bytes. It has the page size and the number of pages, both big-endian
 * (SQLite's file format, section 1.3).
 */
const HEADER = 100;
const PAGE_SIZE = 16;
const PAGES = 28;

/**
 * Throws a CommandError for a truncated database file, which SQLite would open and then fail on a missing page. A file
 * with a write-ahead log is not checked, because the log may contain the missing pages.
 */
export function refuseCut(path: string): void {
  const size = sizeOf(path);
  if (size === 0 || sizeOf(`${path}-wal`) > 0) return;
  const header = Buffer.alloc(HEADER);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, HEADER, 0);
  } finally {
    closeSync(file);
  }
  if (!header.toString("latin1").startsWith("SQLite format 3\0")) return;
  const pageSize = header.readUInt16BE(PAGE_SIZE);
  const wanted = header.readUInt32BE(PAGES) * (pageSize === 1 ? 65_536 : pageSize);
  if (size >= wanted) return;
  throw new CommandError(
    `The database ${path} is truncated: it has ${size} of ${wanted} bytes. Restore a backup, or import into a new file.`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
