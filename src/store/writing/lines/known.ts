/** Recognizes lines of a file whose records are stored unchanged. */
import { type Connection, statement } from "../../engine/engine.ts";
import {
  keyOfRecord,
  recordColumns,
  type RecordNames,
  recordOfRow,
  type RecordRow,
} from "../../schema/record-change.ts";
import { hashOfKey, hashOfLine } from "./hash.ts";
import { WORDS } from "./keep.ts";
import { LineSet } from "./line-set.ts";

const BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT;
const ROWS = 64;

/** The maximum number of records that may have changed since the lines were stored. */
const MOST_CHANGED = 10_000;

const EARLIEST = statement<[revision: number]>(() => "SELECT earliest FROM organization WHERE id = $1");
/**
 * The stored lines of a generation: their rows, revision and bytes. None if the log no longer has all changes since
 * that revision.
 */
const KEPT = statement<[rows: number, revision: number | null, bytes: number | null]>(
  () => `
    SELECT count(*), min(l.revision), CAST(sum(length(l.hashes)) AS bigint) FROM line_hash l
      WHERE l.generation = $1 AND l.revision >= $2`,
);
const HASHES = statement<[hashes: Uint8Array]>(
  () => "SELECT hashes FROM line_hash WHERE generation = $1 AND number >= $2 AND number < $3",
);
const CHANGED = statement<RecordRow>(
  () => `
    SELECT ${recordColumns("c")} FROM record_change c
      WHERE c.generation = $1 AND c.revision > $2 ORDER BY c.revision, c.number LIMIT $3`,
);

interface Kept {
  readonly connection: Pick<Connection, "read">;
  readonly generation: number;
  readonly rows: number;
}

/** The stored lines of an organization. Lines of records that have changed since are left out. */
export class KnownLines {
  readonly #kept: Kept;
  readonly #lines: LineSet;
  /** The hashes of the keys of records that have changed since the lines were stored. */
  readonly #changed: ReadonlySet<number>;
  /** The keys of those changed records that exist now. */
  readonly present: readonly RecordNames[];

  private constructor(
    kept: Kept,
    lines: LineSet,
    changed: ReadonlySet<number>,
    present: readonly RecordNames[],
  ) {
    this.#kept = kept;
    this.#lines = lines;
    this.#changed = changed;
    this.present = present;
  }

  /**
   * The lines of an organization's stored generation. Returns `undefined` if there are none, or if more than
   * {@link MOST_CHANGED} records have changed since.
   */
  static async read(
    connection: Pick<Connection, "read">,
    organization: string,
    generation: number,
  ): Promise<KnownLines | undefined> {
    const [[earliest = 0] = []] = await connection.read(EARLIEST, organization);
    const [[rows = 0, revision = null, bytes = 0] = []] = await connection.read(KEPT, generation, earliest);
    if (revision === null) return undefined;
    const log = await connection.read(CHANGED, generation, revision, MOST_CHANGED + 1);
    if (log.length > MOST_CHANGED) return undefined;
    const changed = new Set<number>();
    const present = new Map<string, RecordNames>();
    for (const record of log.map(recordOfRow)) {
      changed.add(hashOfKey(record));
      if (record.becomes === undefined) present.delete(keyOfRecord(record));
      else present.set(keyOfRecord(record), record);
    }
    const lines = new LineSet((bytes ?? 0) / BYTES);
    const kept = { connection, generation, rows };
    await eachOf(kept, (low, high, key) => {
      if (!changed.has(key)) lines.add(low, high);
    });
    return new KnownLines(kept, lines, changed, [...present.values()]);
  }

  /** Marks a line as met, and returns whether it is a stored line that was not met before. */
  meet(text: string): boolean {
    return this.#lines.meet(...hashOfLine(text));
  }

  /** Whether a record may have changed since the lines were stored. If so, its stored line was left out. */
  mayHaveChanged(key: RecordNames): boolean {
    return this.#changed.has(hashOfKey(key));
  }

  /**
   * The hashes of the keys of stored records that the file lacks. `said` has the hashes for the unknown lines of the
   * file. A record is missing if its stored line was not met and its hash is not in `said`. Returns `undefined` if more
   * than `most` records are missing, if several records have one hash, or if the line of a record in `said` was met.
   */
  async missing(said: ReadonlySet<number>, most: number): Promise<ReadonlySet<number> | undefined> {
    const missing = new Set<number>();
    const replaced = new Set<number>();
    let isPlain = true;
    await eachOf(this.#kept, (low, high, key) => {
      if (this.#changed.has(key)) return;
      const isMet = this.#lines.isMet(low, high);
      if (said.has(key)) {
        isPlain &&= !isMet && !replaced.has(key);
        replaced.add(key);
      } else if (!isMet && missing.size <= most) {
        isPlain &&= !missing.has(key);
        missing.add(key);
      }
    });
    if (missing.size > 0) {
      await eachOf(this.#kept, (low, high, key) => {
        if (missing.has(key) && this.#lines.isMet(low, high)) isPlain = false;
      });
    }
    return isPlain && missing.size <= most ? missing : undefined;
  }
}

/** Calls `take` for each stored line, with the two halves of its hash and the hash of its record's key. */
async function eachOf(
  { connection, generation, rows }: Kept,
  take: (low: number, high: number, key: number) => void,
): Promise<void> {
  for (let row = 0; row < rows; row += ROWS) {
    for (const [hashes] of await connection.read(HASHES, generation, row, row + ROWS)) {
      // Copies the bytes for alignment: a driver may return a view of a larger buffer, at any offset.
      const words = new Uint32Array(new Uint8Array(hashes).buffer);
      for (let at = 0; at < words.length; at += WORDS) {
        take(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0);
      }
    }
  }
}
