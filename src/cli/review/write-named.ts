import { closeSync, openSync, writeSync } from "node:fs";
import { unwritable } from "../../connectors/output.ts";
import { CommandError } from "../../domain/error.ts";

/** Writes a file. Throws a CommandError that names the file if it cannot be written. */
export function writeNamed(name: string, pieces: Iterable<string | Buffer>): void {
  try {
    const file = openSync(name, "w");
    try {
      for (const piece of pieces) {
        const bytes = Buffer.from(piece);
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
      }
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new CommandError(`${name} cannot be written: ${unwritable(cause)}.`, { cause });
  }
}
