import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** The bytes that a whole run needs there. */
const ENOUGH = 8 * 2 ** 30;

/**
 * Puts everything that the tests write into memory until the run ends, if the system has enough: thousands of small
 * databases would each wait for the disk. A given `TMPDIR` is used as it is.
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
