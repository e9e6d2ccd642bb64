import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { expect } from "vitest";

/** Resolves when a process has its turn to import into a SQLite database: it has locked the file beside it. */
export async function hasTurn(database: string, { pid }: ChildProcess): Promise<void> {
  await expect.poll(() => hasLocked(`${database}-import`, pid)).toBe(true);
}

/** Whether a process has locked a file for writing, as the kernel lists it: `1: POSIX ADVISORY WRITE PID MAJOR:MINOR:INODE …`. */
function hasLocked(file: string, pid: number | undefined): boolean {
  if (!existsSync(file)) return false;
  const { ino } = statSync(realpathSync(file));
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .map((line) => line.split(/ +/))
    .some(
      ([, , , how, by, where = ""]) => how === "WRITE" && by === String(pid) && where.endsWith(`:${ino}`),
    );
}
