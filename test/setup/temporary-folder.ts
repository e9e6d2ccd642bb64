import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** The number of bytes that a whole run of the tests needs. */
const ENOUGH = 8 * 2 ** 30;

/**
 * Puts the temporary files of the tests into memory until the run ends, if there is enough: thousands of small
 * databases would each wait for the disk. Does nothing if `TMPDIR` is set.
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
