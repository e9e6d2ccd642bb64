import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { CommandError } from "../domain/error.ts";
import type { SnapshotRecord } from "../snapshot/records.ts";
import { validate } from "../snapshot/validate.ts";
import { snapshotLines } from "../snapshot/writer.ts";

/** What a snapshot holds is names, e-mail addresses and who may see what. */
const OWNER_ONLY = 0o600;
/** Characters that are written at once. */
const PIECE = 1 << 16;
const STOPPING = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

type Records = Iterable<SnapshotRecord> | AsyncIterable<SnapshotRecord>;
type Write = (piece: string) => void | Promise<void>;

/**
 * Writes records as a snapshot file with its end record: to `file`, which only its owner may read and which is there
 * when it is whole or not at all, or else piece by piece to `print`. Every record is checked as an import checks it.
 * Throws a CommandError for a record that is not valid and for a file that cannot be written.
 */
export async function writeSnapshot(records: Records, file: string | undefined, print: Write): Promise<void> {
  const to = async (write: Write) => {
    for await (const piece of piecesOf(records)) await write(piece);
  };
  return file === undefined ? to(print) : whole(file, to);
}

/** A snapshot file with its end record, piece by piece. Throws a CommandError for a record that is not valid. */
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
 * Makes a file, readable by its owner alone, that takes its name when all of it is on the disk. Where `work` throws or
 * the process is told to stop, nothing of it stays. Throws a CommandError for what cannot be written.
 */
export async function whole(file: string, work: (write: Write) => void | Promise<void>): Promise<void> {
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
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${file} cannot be written: ${reason}.`, { cause });
  }
}
