/**
 * Files that hold names, e-mail addresses and permissions: from their first byte, only their owner may read and write
 * them, whatever the umask says.
 */
import {
  type Stats,
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join, resolve } from "node:path";

const OWNER_ONLY = 0o600;

/** Creates a file, and opens it to read and write. Throws if anything has that name, also a link that leads nowhere. */
export function createPrivate(path: string): number {
  const file = openSync(path, "wx+", OWNER_ONLY);
  // A umask can take the owner's rights away. Some file systems keep no modes, and refuse to change them.
  if ((fstatSync(file).mode & OWNER_ONLY) !== OWNER_ONLY) fchmodSync(file, OWNER_ONLY);
  return file;
}

/**
 * Creates a file in a folder and takes its name away, so that it ends when it is closed, or with the process. Throws if
 * the folder cannot be written, or if the system cannot take the name from an open file.
 */
export function createNameless(folder: string): number {
  const path = join(folder, `.rolebook-${randomBytes(8).toString("hex")}`);
  const file = createPrivate(path);
  try {
    unlinkSync(path);
    return file;
  } catch (error) {
    closeSync(file);
    unlinkSync(path);
    throw error;
  }
}

/**
 * Where the links of a path end, which may be a file that does not exist. `pass` sees each link. Throws for links that
 * lead in a circle.
 */
export function followLinks(path: string, pass: (link: Stats) => void = () => {}): string {
  statSync(path, { throwIfNoEntry: false });
  for (let end = path; ; end = resolve(realpathSync(dirname(end)), readlinkSync(end))) {
    const found = lstatSync(end, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() !== true) return end;
    pass(found);
  }
}
