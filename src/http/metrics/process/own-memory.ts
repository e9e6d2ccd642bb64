import { readFileSync } from "node:fs";

/**
 * The resident memory that only this process uses, in bytes. On Linux, mapped files such as the database are excluded:
 * the system keeps them in memory once for all processes. Elsewhere, all resident memory.
 */
export function ownMemory(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss();
  const status = readFileSync("/proc/self/status", "latin1");
  // `RssShmem` would count a mapped database in /dev/shm.
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? process.memoryUsage.rss() : 1024 * Number(kibibytes);
}
