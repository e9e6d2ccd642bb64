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
  /** The number of the revision. */
  readonly revision: number;
  /** The generation: the first key column of most tables. */
  readonly generation: number;
  /** How often a person was erased from the organization's history. */
  readonly erasures: number;
  /**
   * The engine's history when this was read: a database that returned to an earlier state may reuse a revision number.
   */
  readonly history: number;
  readonly organization: string;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly importedAt: string;
  readonly counts: Counts;
}

/** The part of a database that reads of one revision need. */
export type Reads = Pick<Reader, "read" | "history" | "remote"> & Partial<Pick<Reader, "stream">>;

/** Reads one revision for one request, and counts the rows. */
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

  /** The first two parameters of statements that read as of the revision: see as-of.ts. */
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

  /** Reads another revision of the organization with the same reader. */
  of(at: Revision): Reading {
    return new Reading(this.#reader, at, this.cache);
  }

  /** Rows of a large result, one by one. Not usable inside a write, which runs one statement at a time. */
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
