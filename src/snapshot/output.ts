/** Output files, and in plain words why a file cannot be written. */
import {
  closeSync,
  constants as flags,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { constants } from "node:os";
import { CommandError } from "../domain/error.ts";
import { createPrivate, followLinks } from "../store/private-file.ts";
import { snapshotLines } from "./export.ts";
import type { SnapshotRecord } from "./records.ts";
import { validate } from "./validate.ts";

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

type Work = (write: Write<string | Buffer>) => void | Promise<void>;

/**
 * Writes a file that only its owner may read. It gets its name when it is completely on disk. If `work` throws, or a
 * signal stops the process, nothing of it remains. Where the path leads to something other than a file, such as a device
 * or a named pipe, that gets the pieces as they come. Throws a CommandError if it cannot be written, and for a link of
 * another user.
 */
export async function whole(file: string, work: Work): Promise<void> {
  const [target, isFile] = onDisk(file, () => {
    const found = statSync(file, { throwIfNoEntry: false });
    return [targetOf(file), found === undefined || found.isFile()];
  });
  const open = isFile ? openFileOf(file) : undefined;
  if (open !== undefined) await work((piece) => onDisk(file, () => writeAll(open, Buffer.from(piece))));
  else if (isFile) await replace(file, target, work);
  else await writeInto(file, work);
}

/** The number of the open file that `/dev/stdout` or `/dev/fd/3` names. Others write to it too, so it is not replaced. */
function openFileOf(file: string): number | undefined {
  const [, name, number] = /^\/dev\/(?:(stdout|stderr)|fd\/(\d+))$/.exec(file) ?? [];
  if (name !== undefined) return name === "stdout" ? 1 : 2;
  return number === undefined ? undefined : Number(number);
}

/**
 * Where the links of a path end. Whoever may make a link in a folder, such as in /tmp, must not choose which of our files
 * is replaced: throws a CommandError for a link that is neither ours nor root's.
 */
function targetOf(file: string): string {
  return followLinks(file, ({ uid }) => {
    if (uid === 0 || uid === process.geteuid?.()) return;
    throw new CommandError(
      `${file} cannot be written: it is a link of another user; accepted: a file, or a link of yours or of root.`,
    );
  });
}

async function writeInto(file: string, work: Work): Promise<void> {
  // No signal is handled meanwhile: a pipe that nobody reads holds up the process until a signal ends it.
  const descriptor = onDisk(file, () => openSync(file, flags.O_WRONLY | flags.O_NOCTTY));
  try {
    if (fstatSync(descriptor).isFile())
      throw new CommandError(`${file} was replaced meanwhile; run it again.`);
    await work((piece) => onDisk(file, () => writeAll(descriptor, Buffer.from(piece))));
  } finally {
    closeSync(descriptor);
  }
}

async function replace(file: string, target: string, work: Work): Promise<void> {
  const unfinished = `${target}.${process.pid}.part`;
  const descriptor = onDisk(file, () => createPrivate(unfinished));
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
    onDisk(file, () => renameSync(unfinished, target));
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
    if (cause instanceof CommandError) throw cause;
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
  ELOOP: "its links lead in a circle",
  ENXIO: "nothing can be written to it, as to a socket; accepted: a file, a device or a named pipe",
  EPIPE: "its reader has gone",
};

function unwritable(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return UNWRITTEN[code] ?? (cause instanceof Error ? cause.message : String(cause));
}
