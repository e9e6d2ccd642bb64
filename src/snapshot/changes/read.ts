import { createHash } from "node:crypto";
import { CommandError } from "../../domain/error.ts";
import type { Edits } from "../../store/writing/resolve/edits.ts";
import type { Input } from "../input.ts";
import { Problems } from "../problem.ts";
import { FileReading, nameOf } from "../read.ts";
import { Gathering } from "./gather.ts";
import type { ChangeFileRecord, Header } from "./records.ts";
import { validateChange } from "./validate.ts";

/** A change file with valid lines only. */
export interface ReadChange {
  /** The name of the file in messages. */
  readonly name: string;
  readonly header: Header;
  readonly edits: Edits;
  /** The SHA-256 of the file, hexadecimal. */
  readonly input: string;
}

/** Reads a change file line by line. */
export class ChangeReading extends FileReading<ChangeFileRecord> {
  readonly #name: string;
  readonly #problems: Problems;
  readonly #gathering: Gathering;

  constructor(name: string) {
    const problems = new Problems();
    const gathering = new Gathering();
    super(name, problems, validateChange, (record, line) => {
      // Records cannot be checked without a valid header, and its fault has been reported.
      if (gathering.header === undefined && problems.count > 0) return undefined;
      const wrong = gathering.take(record, line, (other) => `${name}:${other}`);
      if (wrong !== undefined) this.add(line, wrong);
      return undefined;
    });
    this.#name = name;
    this.#problems = problems;
    this.#gathering = gathering;
  }

  /** Throws a CommandError that names the first problems, if there are any. */
  done(input: string): ReadChange {
    const { header, edits } = this.#gathering;
    if (header === undefined && this.#problems.count === 0) {
      this.add(
        undefined,
        'there is no record; accepted: {"object":"changes","organization":ID} and the changes',
      );
    }
    if (header === undefined || this.#problems.count > 0) {
      throw new CommandError(`${this.#problems}\nNothing was changed.`);
    }
    return { name: this.#name, header, edits, input };
  }
}

/**
 * Reads a change file. `complete` requires an end record; `heard` receives the length of each piece in bytes. Throws a
 * CommandError that names the first problems.
 */
export async function readChange(
  file: Input,
  complete: boolean,
  heard: (bytes: number) => void,
): Promise<ReadChange> {
  const reading = new ChangeReading(nameOf(file));
  const hash = createHash("sha256");
  await reading.read(file, complete, (piece) => {
    hash.update(piece);
    heard(piece.length);
  });
  return reading.done(hash.digest("hex"));
}
