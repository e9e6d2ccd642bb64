import { readFileSync } from "node:fs";

/** Whether a process runs. A zombie does not count. */
export function isRunning(pid: number): boolean {
  try {
    // A zombie still accepts signals, so the state is read from /proc if there is one.
    if (process.platform !== "linux") return process.kill(pid, 0);
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The child processes of a process; empty if the system has no /proc. */
export function children(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Sends a signal to every one of `pids` that still exists. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended meanwhile.
    }
  }
}
