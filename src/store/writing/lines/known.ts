/** Which lines say what is stored. */
import { type Connection, statement } from "../../engine/engine.ts";
import { KINDS } from "../generation/difference/difference.ts";
import { hashOfKey, hashOfLine, type RecordKey } from "./hash.ts";
import { WORDS } from "./keep.ts";
import { LineSet } from "./line-set.ts";

const BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT;
/** How many rows are read at a time. */
const ROWS = 64;

/** Of more records that changed since, too much would have to be looked at one by one. */
const MOST_CHANGED = 10_000;

/** The lines of a generation; none where they are of a revision from which on the log does not reach. */
const KEPT = statement<[rows: number, revision: number | null, bytes: number | null]>(
  () => `
    SELECT count(*), min(l.revision), CAST(sum(length(l.hashes)) AS bigint) FROM line_hash l
      WHERE l.generation = $1
        AND l.revision >= (SELECT o.earliest FROM organization o WHERE o.id = $2)`,
);
const HASHES = statement<[hashes: Uint8Array]>(
  () => "SELECT hashes FROM line_hash WHERE generation = $1 AND number >= $2 AND number < $3",
);
const CHANGED = statement<[kind: number, ...names: (string | null)[]]>(
  () => `
    SELECT kind, member, team, content, site FROM record_change WHERE generation = $1 AND revision > $2 LIMIT $3`,
);

/** The lines that say what an organization is now, each of a record of its own. */
export class KnownLines {
  readonly #lines: LineSet;
  readonly #changed: ReadonlySet<number>;

  private constructor(lines: LineSet, changed: ReadonlySet<number>) {
    this.#lines = lines;
    this.#changed = changed;
  }

  /** The lines of an organization's stored generation; `undefined` where none are kept, or much has changed since. */
  static async read(
    connection: Pick<Connection, "read">,
    organization: string,
    generation: number,
  ): Promise<KnownLines | undefined> {
    const [[rows = 0, revision = null, bytes = 0] = []] = await connection.read(
      KEPT,
      generation,
      organization,
    );
    if (revision === null) return undefined;
    const log = await connection.read(CHANGED, generation, revision, MOST_CHANGED + 1);
    if (log.length > MOST_CHANGED) return undefined;
    const changed = new Set(log.map(([kind, ...names]) => hashOfKey(keyOf(kind, names))));
    const lines = new LineSet((bytes ?? 0) / BYTES);
    for (let row = 0; row < rows; row += ROWS) {
      for (const [hashes] of await connection.read(HASHES, generation, row, row + ROWS)) {
        // Copied: what a driver gives may be a part of a larger buffer, at any place of it.
        const words = new Uint32Array(new Uint8Array(hashes).buffer);
        for (let at = 0; at < words.length; at += WORDS) {
          if (changed.has(words[at + 2] ?? 0)) continue;
          lines.add(words[at] ?? 0, words[at + 1] ?? 0);
        }
      }
    }
    return new KnownLines(lines, changed);
  }

  /** Whether a line says a record as it is stored; once for each record. */
  meet(text: string): boolean {
    return this.#lines.meet(...hashOfLine(text));
  }

  /** Whether the record may have changed since the lines were kept: only then no line of it is known. */
  mayHaveChanged(key: RecordKey): boolean {
    return this.#changed.has(hashOfKey(key));
  }
}

function keyOf(kind: number, names: readonly (string | null)[]): RecordKey {
  const [member, team, content, site] = names.map((name) => name ?? undefined);
  const name = KINDS[kind];
  if (name === undefined) throw new TypeError(`The log of changes holds the kind ${kind}.`);
  return { kind: name, member, team, content, site };
}
