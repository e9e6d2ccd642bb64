/** Database files that this process cannot write: a read-only file, folder or file system. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandError, DatabaseFileError } from "../../../domain/error.ts";

/** Files beside a database that have some of its changes while a program writes it, or after one was killed. */
const LOGS = ["-wal", "-journal"];

/**
 * A database file that cannot be written, and that nobody may write meanwhile: SQLite reads it without locks, and looks
 * for changes nowhere but in the file.
 */
export class ReadOnlyFile {
  readonly #path: string;
  readonly #state: string;
  /** How long a look at the file is trusted, in milliseconds, and when it was taken. */
  readonly #lease: number;
  #seenAt = -Infinity;

  /** Throws a CommandError if another program writes the file, or was killed while it did. */
  constructor(path: string, lease: number) {
    const log = logOf(path);
    if (log !== undefined) {
      throw new CommandError(
        `The database ${path} cannot be read: it is read-only, and ${log} shows that another program uses it or was killed; open it once where it can be written, such as with rolebook status, or use a copy made by rolebook backup.`,
      );
    }
    this.#path = path;
    this.#lease = lease;
    this.#state = stateOf(path);
  }

  /** For SQLite: opens the file without locks. */
  get url(): URL {
    const url = pathToFileURL(this.#path);
    url.search = "mode=ro&immutable=1";
    return url;
  }

  get refusal(): DatabaseFileError {
    return new DatabaseFileError(`The database ${this.#path} cannot be written: it is read-only.`);
  }

  /** Throws a DatabaseFileError if the file was changed or replaced, or if a program has opened it to write. */
  mustBeUnchanged(): void {
    const now = performance.now();
    if (now - this.#seenAt < this.#lease) return;
    if (stateOf(this.#path) !== this.#state || logOf(this.#path) !== undefined) {
      throw new DatabaseFileError(
        `The database ${this.#path} was opened read-only, and another program writes it; open it again when that has ended.`,
      );
    }
    this.#seenAt = now;
  }
}

/** Whether SQLite cannot write an existing file. It also makes files in the folder, unless they exist. */
export function isReadOnly(path: string): boolean {
  return !isWritable(path) || !(isWritable(dirname(path)) || existsSync(`${path}-wal`));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function logOf(path: string): string | undefined {
  return LOGS.map((suffix) => path + suffix).find((log) => existsSync(log));
}

function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : [found.dev, found.ino, found.size, found.mtimeNs].join(" ");
}
