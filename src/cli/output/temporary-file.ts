import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../../domain/error.ts";

const CHUNK = 1 << 20;
/** The content has names and e-mail addresses. */
const OWNER_ONLY = 0o600;

/**
 * A temporary file that is written first and then read. It has no name, so that nothing remains of it however the
 * process ends. Throws a CommandError if it cannot be written.
 */
export class TemporaryFile {
  readonly #file: number;
  #size = 0;

  constructor() {
    const name = join(tmpdir(), `rolebook-${process.pid}-${Date.now().toString(36)}`);
    this.#file = attempt(() => openSync(name, "wx+", OWNER_ONLY));
    rmSync(name, { force: true });
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;) {
      const from = done;
      done += attempt(() => writeSync(this.#file, bytes, from, bytes.length - from, this.#size + from));
    }
    this.#size += bytes.length;
  }

  *read(): Generator<Buffer> {
    for (let at = 0; at < this.#size;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(this.#file, chunk, 0, CHUNK, at);
      if (read === 0) throw new CommandError("The temporary file ends too early.");
      at += read;
      yield chunk.subarray(0, read);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `The temporary file in ${tmpdir()} cannot be written: ${reason}. TMPDIR names another folder.`,
      { cause },
    );
  }
}
