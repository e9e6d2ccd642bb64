import { readFileSync } from "node:fs";

/**
 * Private resident memory of this process, in bytes. On Linux this excludes mapped files such as the database, which
 * the system caches once for all processes. On other systems it is all resident memory.
 */
export function ownMemory(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss();
  const status = readFileSync("/proc/self/status", "latin1");
  const parts = status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
  return parts.reduce((sum, [, kibibytes]) => sum + 1024 * Number(kibibytes), 0);
}
