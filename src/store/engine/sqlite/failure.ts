import { DatabaseFileError } from "../../../domain/error.ts";

/** What SQLite's primary result codes mean, for the terminal. */
const REASONS: Readonly<Record<number, string>> = {
  5: "is locked by another program",
  6: "is locked by another program",
  8: "cannot be written: it is read-only",
  10: "cannot be read or written: the file system failed",
  11: "is damaged",
  13: "cannot grow: the disk is full",
  14: "cannot be opened",
  26: "is not a database",
};

/** The extended code for a failure to map shared memory, which happens on a full disk. */
const NO_SHARED_MEMORY = 10 | (19 << 8);

/** The primary result code of a SQLite error; `undefined` for any other error. */
export function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  if (code === NO_SHARED_MEMORY) return 13;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** Whether the error says that another connection holds a required lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 5;
}

/**
 * Converts an error for a command: a DatabaseFileError of one line if the file is at fault, otherwise the error itself.
 */
export function toCommandError(error: unknown, path: string): unknown {
  const reason = REASONS[codeOf(error) ?? 0];
  if (reason === undefined) return error;
  const detail = error instanceof Error ? ` (${error.message})` : "";
  return new DatabaseFileError(`The database ${path} ${reason}${detail}.`, { cause: error });
}
