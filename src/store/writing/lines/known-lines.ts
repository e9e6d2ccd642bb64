/**
 * Recognizes lines of a file whose records are stored unchanged, so that an import parses only the others. An import
 * stores a hash of each line of a whole file, and a hash of the key of its record ({@link LineKeeper}). The next import
 * looks up the hashes of its lines ({@link KnownLines}).
 */
import { type Connection, type Staging, statement } from "../../engine/engine.ts";
import { type RecordNames, keyOfRecord } from "../../../domain/record-change.ts";
import { type RecordRow, recordColumns, recordOfRow } from "../../schema/record-change.ts";
import { hash } from "node:crypto";

/** The first 64 bits of a line's SHA-256, as two halves. */
function hashOfLine(text: string): readonly [low: number, high: number] {
  // The digest is a text with one byte per character, because creating millions of buffers would take longer than
  // hashing.
  const digest = hash("sha256", text, "latin1");
  return [wordAt(digest, 0), wordAt(digest, 4)];
}

function wordAt(digest: string, at: number): number {
  return (
    (digest.charCodeAt(at) |
      (digest.charCodeAt(at + 1) << 8) |
      (digest.charCodeAt(at + 2) << 16) |
      (digest.charCodeAt(at + 3) << 24)) >>>
    0
  );
}

/** The FNV-1a hash of a record's key, 32 bits. Two keys may have the same hash. */
export function hashOfKey({ kind, member, team, content, site }: RecordNames): number {
  let found = 0x811c9dc5;
  for (const part of [kind, member, team, content, site]) {
    const text = part ?? "";
    for (let index = 0; index < text.length; index++) {
      found = Math.imul(found ^ text.charCodeAt(index), 0x01000193);
    }
    found = Math.imul(found ^ 1, 0x01000193);
  }
  return found >>> 0;
}

/** The number of slots per hash. */
const ROOM = 2;

/**
 * A hash table with open addressing for millions of 64-bit hashes, each given as two halves. A hash can be marked as
 * met.
 */
class LineSet {
  readonly #mask: number;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #met: Uint8Array;

  /** `size` is the maximum number of hashes. */
  constructor(size: number) {
    const slots = 2 ** Math.ceil(Math.log2(ROOM * size + 1));
    this.#mask = slots - 1;
    this.#low = new Uint32Array(slots);
    this.#high = new Uint32Array(slots);
    this.#met = new Uint8Array(slots);
  }

  add(low: number, high: number): void {
    const slot = this.#slotOf(low, high);
    this.#low[slot] = low;
    this.#high[slot] = high;
  }

  /** Marks a hash as met, and returns whether the set has it and it was not marked before. */
  meet(low: number, high: number): boolean {
    const slot = this.#slotOf(low, high);
    if ((this.#low[slot] === 0 && this.#high[slot] === 0) || this.#met[slot] === 1) return false;
    this.#met[slot] = 1;
    return true;
  }

  isMet(low: number, high: number): boolean {
    return this.#met[this.#slotOf(low, high)] === 1;
  }

  /** The slot of a hash, or the free slot for it. Zero stands for a free slot, so the hash zero is never stored. */
  #slotOf(low: number, high: number): number {
    let slot = low & this.#mask;
    while (!(this.#low[slot] === 0 && this.#high[slot] === 0)) {
      if (this.#low[slot] === low && this.#high[slot] === high) break;
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}

/** The number of 32-bit words per line: two for the hash of the line, one for the hash of its record's key. */
const WORDS = 3;
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

interface KeptLines {
  readonly connection: Pick<Connection, "read">;
  readonly generation: number;
  readonly rows: number;
}

/** The stored lines of an organization. Lines of records that have changed since are left out. */
export class KnownLines {
  readonly #kept: KeptLines;
  readonly #lines: LineSet;
  /** The hashes of the keys of records that have changed since the lines were stored. */
  readonly #changed: ReadonlySet<number>;
  /** The keys of those changed records that exist now. */
  readonly present: readonly RecordNames[];

  private constructor(
    kept: KeptLines,
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
  { connection, generation, rows }: KeptLines,
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

/** The number of lines per row. */
const LINES = 4096;

/** Stores the hashes of a whole file's lines. */
export class LineKeeper {
  readonly #staging: Staging;
  #words = new Uint32Array(WORDS * LINES);
  #filled = 0;
  #rows = 0;

  private constructor(staging: Staging) {
    this.#staging = staging;
  }

  static async begin(staging: Staging): Promise<LineKeeper> {
    await staging.create("staged_line_hash", `number bigint, hashes ${staging.dialect.bytes}`);
    return new LineKeeper(staging);
  }

  get lines(): number {
    return this.#rows * LINES + this.#filled / WORDS;
  }

  /** Adds the line of a record. If the result is a promise, await it before the next call. */
  add(text: string, key: RecordNames): Promise<void> | undefined {
    const [low, high] = hashOfLine(text);
    this.#words[this.#filled++] = low;
    this.#words[this.#filled++] = high;
    this.#words[this.#filled++] = hashOfKey(key);
    return this.#filled === this.#words.length ? this.#flush() : undefined;
  }

  /**
   * Stores the collected lines with their revision, and deletes the earlier lines of the generation. Each line must be
   * of a different record.
   */
  async keep(generation: number, revision: number): Promise<void> {
    await this.#flush();
    await this.#staging.erase("line_hash", generation);
    const select = (rows: string) => `SELECT ${generation}, number, ${revision}, hashes FROM ${rows} l`;
    await this.#staging.fill("line_hash", [{ along: "staged_line_hash", select, order: "number" }], () => {});
  }

  async #flush(): Promise<void> {
    const { buffer } = this.#words.slice(0, this.#filled);
    const number = this.#rows++;
    this.#filled = 0;
    await this.#staging.append("staged_line_hash", 2, [number, new Uint8Array(buffer)]);
  }
}
