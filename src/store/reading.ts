import { ApiError } from "../domain/error.ts";
import type { Role } from "../domain/role.ts";
import type { RevisionCache } from "./cache/cache.ts";
import type { Column, Parameter, Reader, Statement } from "./engine/engine.ts";

/** The number of records of each kind in a revision, and of members by organization role. */
export interface Counts {
  readonly members: number;
  readonly roles: Readonly<Record<Role | "guest", number>>;
  readonly teams: number;
  readonly teamMembers: number;
  readonly collections: number;
  readonly spaces: number;
  readonly sites: number;
  readonly siteSpaces: number;
  readonly permissions: number;
}

/** An organization at a revision; immutable. */
export interface Revision {
  readonly revision: number;
  /** The generation with the rows of the revision: the first key column of most tables. */
  readonly generation: number;
  /**
   * How often a person was erased from the organization's past revisions. Part of cache keys, because erasing changes
   * revisions.
   */
  readonly erasures: number;
  /**
   * {@link Reader.history} when this revision was read. A database that returned to an earlier state may assign a
   * revision number again.
   */
  readonly history: number;
  readonly organization: string;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly importedAt: string;
  readonly counts: Counts;
}

/** What reading a revision needs of a database. */
export type Reads = Pick<Reader, "read" | "history" | "remote"> & Partial<Pick<Reader, "stream">>;

/** Reads one revision for one request, and counts the rows that it reads. */
export class Reading {
  readonly at: Revision;
  readonly cache: RevisionCache;
  readonly #reader: Reads;
  rows = 0;

  constructor(reader: Reads, at: Revision, cache: RevisionCache) {
    this.#reader = reader;
    this.at = at;
    this.cache = cache;
  }

  get generation(): number {
    return this.at.generation;
  }

  /** The first two parameters of statements that read as of the revision; see `holds` in schema/as-of.ts. */
  get asOf(): readonly [generation: number, revision: number] {
    return [this.at.generation, this.at.revision];
  }

  /** See {@link Reader.history}. */
  get history(): number {
    return this.#reader.history;
  }

  /** See {@link Reader.remote}. */
  get remote(): boolean {
    return this.#reader.remote;
  }

  /** Reads another revision of the organization with the same connection. */
  of(at: Revision): Reading {
    return new Reading(this.#reader, at, this.cache);
  }

  /**
   * Returns the rows of a large result one by one. Throws in a write transaction, which runs one statement at a time.
   */
  stream<Row extends Column[]>(
    wanted: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncIterable<Row> | Iterable<Row> {
    if (this.#reader.stream === undefined) throw new TypeError("These reads do not stream.");
    return this.#reader.stream(wanted, ...parameters);
  }

  async read<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return this.#counted(await this.#reader.read(wanted, ...parameters));
  }

  #counted<Row extends Column[]>(rows: Row[]): Row[] {
    if (this.#reader.history !== this.at.history) {
      throw new ApiError("unavailable", "Another database server has taken over; try again.", {
        "retry-after": "1",
      });
    }
    this.rows += rows.length;
    return rows;
  }
}
