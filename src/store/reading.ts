import { ApiError } from "../domain/error.ts";
import type { Role } from "../domain/role.ts";
import type { Model } from "../model/model.ts";
import { RevisionCache } from "./cache.ts";
import type { SqlValue, Connection, Dialect, SqlParameter, Reader, Statement } from "./engine/engine.ts";

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

/** What a revision is read over: the engine, a consistent read, an import or a transaction that writes. */
type Database = Pick<Connection, "dialect" | "read" | "remote"> & Partial<Pick<Reader, "history" | "stream">>;

/** What gives a reading the model of its revision; `modelOf` in models.ts is how to ask. */
export interface ModelSource {
  of(reading: Reading): Promise<Model>;
}

/** The size of the cache of a reading over a transaction, in bytes. */
const OWN_CACHE = 24 << 20;

/**
 * Reads one revision, and counts the rows that it reads: for a request, over the engine or a consistent read; for an
 * import or a change, over the transaction that writes the next revision.
 */
export class Reading {
  readonly at: Revision;
  readonly #database: Database;
  #cache: RevisionCache | undefined;
  models: ModelSource | undefined;
  rows = 0;

  /**
   * Without `cache` and `models`, what is read is only kept for this reading: a transaction may read what it does not
   * publish in the end.
   */
  constructor(database: Database, at: Revision, cache?: RevisionCache, models?: ModelSource) {
    this.#database = database;
    this.at = at;
    this.#cache = cache;
    this.models = models;
  }

  get cache(): RevisionCache {
    return (this.#cache ??= new RevisionCache(OWN_CACHE));
  }

  get generation(): number {
    return this.at.generation;
  }

  /** The first two parameters of statements that read as of the revision; see `holds` in schema/as-of.ts. */
  get asOf(): readonly [generation: number, revision: number] {
    return [this.at.generation, this.at.revision];
  }

  get dialect(): Dialect {
    return this.#database.dialect;
  }

  /** See {@link Connection.remote}. */
  get remote(): boolean {
    return this.#database.remote;
  }

  /** Reads another revision of the organization with the same connection. */
  of(at: Revision): Reading {
    return new Reading(this.#database, at, this.cache, this.models);
  }

  /**
   * Returns the rows of a large result one by one. Throws over a transaction that writes, which runs one statement at a
   * time.
   */
  stream<Row extends SqlValue[]>(
    wanted: Statement<Row>,
    ...parameters: SqlParameter[]
  ): AsyncIterable<Row> | Iterable<Row> {
    if (this.#database.stream === undefined) throw new TypeError("These reads do not stream.");
    return this.#database.stream(wanted, ...parameters);
  }

  async read<Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): Promise<Row[]> {
    const rows = await this.#database.read(wanted, ...parameters);
    if ((this.#database.history ?? this.at.history) !== this.at.history) {
      throw new ApiError("unavailable", "Another database server has taken over; try again.", {
        "retry-after": "1",
      });
    }
    this.rows += rows.length;
    return rows;
  }
}
