/**
 * Finds out what a whole file changes without parsing all of it: lines that the last import had are recognized, and
 * only the others are parsed.
 */
import { isObject } from "../domain/json.ts";
import { createHash } from "node:crypto";
import { KnownLines, hashOfKey } from "../store/writing/lines/known-lines.ts";
import { countsAfter } from "../store/writing/change/write-change.ts";
import { removeRecords } from "../store/writing/resolve/edits.ts";
import { currentOf } from "../store/revisions/publication.ts";
import { type ResolvedChange, resolve } from "../store/writing/resolve/resolve.ts";
import { recordsIn } from "../store/writing/generation/difference.ts";
import type { Staging } from "../store/engine/engine.ts";
import type { Reading, Revision } from "../store/reading.ts";
import type { RecordNames } from "../domain/record-change.ts";
import { STORED } from "./export.ts";
import { Gathering } from "./changes/read.ts";
import { type Input, UnreadableFile, fileAt, linesOf } from "./input.ts";
import { Problems } from "./problem.ts";
import { FileReading, inputName, type ReadOptions } from "./read.ts";
import { type SnapshotRecord, isEnd, recordKey } from "./records.ts";
import { validate } from "./validate.ts";

/** The organization must be named in the first lines, up to this number. */
const FIRST_LINES = 1000;

/** The most records that may be added, changed or removed. */
const MOST_DIFFERENT = 2000;

/** All records must be read, because too many lines are not recognized or something is wrong. */
class Insufficient extends Error {}

/** What a whole file changes. */
export interface WholeFile {
  readonly now: Reading;
  readonly outcome: ResolvedChange;
  /** The SHA-256 of all files together, hexadecimal. */
  readonly sha256: string;
}

/**
 * What files change in one organization, if the last import had most of their lines, in any order. `undefined` if too
 * much differs or something is invalid: then the caller reads all records and reports what is wrong. Also `undefined`
 * for input that can be read only once.
 */
export async function readByLines(
  staging: Staging,
  files: readonly Input[],
  { complete = false, progress }: ReadOptions,
): Promise<WholeFile | undefined> {
  if (!files.every(isFile)) return undefined;
  const organization = await organizationIn(files[0]);
  const now = organization === undefined ? undefined : await currentOf(staging, organization);
  if (now === undefined) return undefined;
  const known = await KnownLines.read(staging, now.at.organization, now.at.generation);
  if (known === undefined) return undefined;
  const comparison = new LineComparison(now, known);
  const hash = createHash("sha256");
  let bytes = 0;
  const heard = (piece: Buffer) => {
    hash.update(piece);
    progress?.({ phase: "reading", bytes: (bytes += piece.length) });
  };
  try {
    for (const file of files) await comparison.read(file, complete, heard);
    return { now, outcome: await comparison.outcome(staging), sha256: hash.digest("hex") };
  } catch (error) {
    if (error instanceof Insufficient) return undefined;
    throw error;
  }
}

/**
 * Reads files. A recognized line stands for a stored record; the records of all other lines are gathered as changes.
 */
class LineComparison {
  readonly #now: Reading;
  readonly #known: KnownLines;
  readonly #gathering = new Gathering();
  /** The hashes of the keys of all gathered records. */
  readonly #gathered = new Set<number>();
  #different = 0;
  #lines = 0;

  constructor(now: Reading, known: KnownLines) {
    this.#now = now;
    this.#known = known;
    const { organization } = now.at;
    this.#gathering.take({ object: "changes", organization }, 0, () => "");
  }

  /** Throws Insufficient if anything is invalid or too many records differ. `heard` receives the bytes. */
  async read(file: Input, complete: boolean, heard: (piece: Buffer) => void): Promise<void> {
    const problems = new Problems();
    const isKnown = (text: string) => {
      if (problems.count > 0) throw new Insufficient();
      const known = this.#known.meet(text);
      if (known) this.#lines++;
      return known;
    };
    const reading = new FileReading(
      inputName(file),
      problems,
      validate,
      (record, line) => (isEnd(record) ? undefined : this.#gather(record, line)),
      isKnown,
    );
    await reading.read(file, complete, heard);
    if (problems.count > 0) throw new Insufficient();
  }

  #gather(record: SnapshotRecord, line: number): undefined {
    const key = recordKey(record);
    if (!this.#known.mayHaveChanged(key)) this.#different++;
    if (this.#different > MOST_DIFFERENT) throw new Insufficient();
    if (this.#gathering.take(record, line, () => "") !== undefined) throw new Insufficient();
    this.#gathered.add(hashOfKey(key));
    this.#lines++;
  }

  /**
   * The changes of the files. Throws Insufficient if they are ambiguous or invalid, or if the organization would then
   * not have as many records as the files.
   */
  async outcome(staging: Staging): Promise<ResolvedChange> {
    const { counts } = this.#now.at;
    const { edits } = this.#gathering;
    if (this.#gathered.size > 0 || this.#lines !== recordsIn(counts)) {
      const missing = await this.#known.missing(this.#gathered, MOST_DIFFERENT);
      if (missing === undefined) throw new Insufficient();
      const gone = await storedKeys(staging, this.#now.at, missing);
      if (gone.length !== missing.size) throw new Insufficient();
      gone.push(...this.#known.present.filter((key) => !this.#gathered.has(hashOfKey(key))));
      if (!removeRecords(edits, gone)) throw new Insufficient();
    }
    const resolution = await resolve(this.#now, edits);
    if (resolution.faults !== undefined) throw new Insufficient();
    if (this.#lines !== recordsIn(countsAfter(counts, resolution.records))) throw new Insufficient();
    return resolution;
  }
}

/** The keys of a revision's records with the given hashes. Each hash must identify exactly one record. */
async function storedKeys(
  staging: Staging,
  at: Revision,
  hashes: ReadonlySet<number>,
): Promise<RecordNames[]> {
  const found: RecordNames[] = [];
  for (const records of STORED) {
    if (found.length >= hashes.size) break;
    for await (const block of records(staging, at)) {
      for (const { names } of block) if (hashes.has(hashOfKey(names))) found.push(names);
    }
  }
  return found;
}

/** Whether an input can be read twice. */
function isFile(input: Input): boolean {
  return typeof input === "string" && fileAt(input)?.isFile() === true;
}

/** `undefined` if the first lines name no organization. */
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
