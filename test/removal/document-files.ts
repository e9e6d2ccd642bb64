/** The files of documents of a process. They have no name, so only the system's list of open files has them. */
import { openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Opens the files without a name that a process has in a folder. */
export function documentFilesOf(process: number | "self", folder: string): number[] {
  const all = `/proc/${process}/fd`;
  const found = readdirSync(all).filter((name) => {
    try {
      return readlinkSync(join(all, name)).startsWith(join(folder, ".rolebook-"));
    } catch {
      return false;
    }
  });
  return found.map((name) => openSync(join(all, name), "r"));
}

/** What an opened file has, from its first byte. */
export function bytesIn(file: number): Buffer {
  return readFileSync(`/proc/self/fd/${file}`);
}
