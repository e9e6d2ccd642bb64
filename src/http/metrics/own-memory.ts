import { readFileSync } from "node:fs";

/**
 * Memory in RAM that this process has for itself, in bytes. Linux tells it apart from files: the database is mapped, and
 * the system caches it once for all processes. Elsewhere it is all that is resident.
 */
export function ownMemory(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss();
  const status = readFileSync("/proc/self/status", "latin1");
  const parts = status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
  return parts.reduce((sum, [, kibibytes]) => sum + 1024 * Number(kibibytes), 0);
}
