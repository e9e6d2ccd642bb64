import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** What a whole run needs there, in bytes. */
const ENOUGH = 8 * 2 ** 30;

/**
 * Lets everything that the tests write lie in memory until the run ends, where the system has enough of it: thousands of
 * small databases would each wait for the disk. A `TMPDIR` that is given is left alone.
 */
export function writeToMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(join(MEMORY, "rolebook-"));
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}
