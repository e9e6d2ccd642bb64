import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { CommandError } from "../domain/error.ts";
import { snapshotLines } from "../snapshot/export.ts";
import type { SnapshotRecord } from "../snapshot/records.ts";
import { validate } from "../snapshot/validate.ts";

/** Snapshots have names, e-mail addresses and permissions. */
const OWNER_ONLY = 0o600;
/** How many characters are written at a time. */
const PIECE = 1 << 16;
const STOPPING = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

type Records = Iterable<SnapshotRecord> | AsyncIterable<SnapshotRecord>;
type Write<Piece = string> = (piece: Piece) => void | Promise<void>;

/**
 * Writes records as a snapshot with its end record: to a file, or piece by piece to `print`. The file is readable only
 * for its owner, and appears when it is complete. Throws a CommandError for a record that an import would refuse, and
 * for a file that cannot be written.
 */
export async function writeSnapshot(records: Records, file: string | undefined, print: Write): Promise<void> {
  const to = async (write: Write) => {
    for await (const piece of piecesOf(records)) await write(piece);
  };
  return file === undefined ? to(print) : whole(file, to);
}

/** A snapshot with its end record, in pieces. Throws a CommandError for an invalid record. */
export async function* piecesOf(records: Records): AsyncGenerator<string> {
  let piece = "";
  for await (const line of snapshotLines(checked(records))) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/**
 * Writes a file that only its owner may read. It gets its name when it is completely on disk. If `work` throws, or a
 * signal stops the process, nothing of it remains. Throws a CommandError if it cannot be written.
 */
export async function whole(
  file: string,
  work: (write: Write<string | Buffer>) => void | Promise<void>,
): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  const descriptor = onDisk(file, () => openSync(unfinished, "wx", OWNER_ONLY));
  const drop = () => rmSync(unfinished, { force: true });
  const stop = (signal: NodeJS.Signals) => {
    drop();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of STOPPING) process.on(signal, stop);
  try {
    try {
      await work((piece) => onDisk(file, () => writeAll(descriptor, Buffer.from(piece))));
      onDisk(file, () => fsyncSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
    onDisk(file, () => renameSync(unfinished, file));
  } catch (error) {
    drop();
    throw error;
  } finally {
    for (const signal of STOPPING) process.off(signal, stop);
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
}

async function* checked(records: Records): AsyncGenerator<SnapshotRecord> {
  for await (const record of records) {
    const found = validate(record);
    if (typeof found === "string") throw new CommandError(`A record is not valid: ${found}.`);
    yield record;
  }
}

function onDisk<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new CommandError(`${file} cannot be written: ${unwritable(cause)}.`, { cause });
  }
}

/** Reasons why a file cannot be written, by system error code. */
const UNWRITTEN: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder; accepted: a file",
  EACCES: "permission to write it is denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

function unwritable(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return UNWRITTEN[code] ?? (cause instanceof Error ? cause.message : String(cause));
}
