/** A whole file that says what its organization is already, known by its lines. */
import { statSync } from "node:fs";
import { KnownLines } from "../store/writing/lines/known.ts";
import { currentOf, type Snapshot } from "../store/writing/resolve/current.ts";
import { resolve } from "../store/writing/resolve/resolve.ts";
import { isChanged } from "../store/writing/resolve/record-counts.ts";
import { recordsIn } from "../store/writing/generation/difference/difference.ts";
import type { Connection } from "../store/engine/engine.ts";
import { Gathering } from "./changes/gather.ts";
import { type Input, linesOf, UnreadableFile } from "./reading/lines.ts";
import { Problems } from "./problem.ts";
import { FileReading, nameOf, type ReadOptions } from "./reading/read.ts";
import { isEnd, type SnapshotRecord } from "./records.ts";
import { recordKey } from "./record-key.ts";
import { isObject, validate } from "./reading/validate.ts";

/** In how many lines an organization is looked for. */
const FIRST_LINES = 1000;

/** What was read so far is no proof that nothing changes. */
class Unproven extends Error {}

/**
 * The organization that files say word for word, but for the order of their lines and for records that were changed by
 * other means since. `undefined` where anything is different or wrong: whoever reads all records then says what. Only
 * for files that can be read a second time.
 */
export async function unchangedBy(
  connection: Pick<Connection, "read">,
  files: readonly Input[],
  { complete = false, progress }: ReadOptions,
): Promise<Snapshot | undefined> {
  if (!files.every(isFile)) return undefined;
  const organization = await organizationIn(files[0]);
  const now = organization === undefined ? undefined : await currentOf(connection, organization);
  if (now === undefined) return undefined;
  const known = await KnownLines.read(connection, now.revision.organization, now.revision.generation);
  if (known === undefined) return undefined;
  const reading = new Reading(now, known);
  let bytes = 0;
  const heard = (piece: Buffer) => progress?.({ phase: "reading", bytes: (bytes += piece.length) });
  try {
    for (const file of files) await reading.read(file, complete, heard);
    return (await reading.isProof()) ? now : undefined;
  } catch (error) {
    if (error instanceof Unproven) return undefined;
    throw error;
  }
}

/**
 * Each known line is a record of its own that is stored like that, and no line of a record that may have changed is known:
 * such records are looked up. So they are all there where there are as many.
 */
class Reading {
  readonly #now: Snapshot;
  readonly #known: KnownLines;
  readonly #gathering = new Gathering();
  #lines = 0;

  constructor(now: Snapshot, known: KnownLines) {
    this.#now = now;
    this.#known = known;
    const { organization } = now.revision;
    this.#gathering.take({ object: "changes", organization }, 0, () => "");
  }

  /** Throws Unproven as soon as a record or a line is none that is known. */
  async read(file: Input, complete: boolean, heard: (piece: Buffer) => void): Promise<void> {
    const problems = new Problems();
    const isKnown = (text: string) => {
      if (problems.count > 0) throw new Unproven();
      const known = this.#known.meet(text);
      if (known) this.#lines++;
      return known;
    };
    const take = (record: SnapshotRecord, line: number) => {
      const wrong = this.#known.mayHaveChanged(recordKey(record))
        ? this.#gathering.take(record, line, () => "")
        : "unknown";
      if (wrong !== undefined) throw new Unproven();
      this.#lines++;
      return undefined;
    };
    const reading = new FileReading(
      nameOf(file),
      problems,
      validate,
      (record, line) => (isEnd(record) ? undefined : take(record, line)),
      isKnown,
    );
    await reading.read(file, complete, heard);
    if (problems.count > 0) throw new Unproven();
  }

  async isProof(): Promise<boolean> {
    const { title, counts } = this.#now.revision;
    if (this.#lines !== recordsIn(counts)) return false;

    const resolution = await resolve(this.#now, title, this.#gathering.edits);
    return resolution.faults === undefined && !isChanged(resolution.counts);
  }
}

/** Whether it can be read twice. */
function isFile(input: Input): boolean {
  return (
    typeof input === "string" &&
    input !== "-" &&
    statSync(input, { throwIfNoEntry: false })?.isFile() === true
  );
}

/** The organization that the first lines of a file name. */
async function organizationIn(file: Input = "-"): Promise<string | undefined> {
  try {
    for await (const { texts } of linesOf(file, () => {})) {
      for (const text of texts.slice(0, FIRST_LINES)) {
        const record: unknown = text?.trim() === "" ? undefined : JSON.parse(text ?? "");
        if (!isObject(record)) continue;
        const named = record.object === "organization" ? record.id : record.organization;
        if (typeof named === "string") return named;
      }
      return undefined;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile || error instanceof SyntaxError)) throw error;
  }
  return undefined;
}
