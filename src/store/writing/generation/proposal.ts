/** Examines the next state of an organization before it is published. */
import { FOREVER } from "../../schema/as-of.ts";
import { RevisionCache } from "../../cache/cache.ts";
import { currentOf } from "../resolve/current.ts";
import type { Connection, Engine } from "../../engine/engine.ts";
import { Reading, type Reads, type Revision } from "../../reading.ts";

export interface Proposal {
  readonly organization: string;
  readonly after: Reading;
  /** The current state; `undefined` for a new organization. */
  readonly before: Reading | undefined;
}

/** Examines the next state of each organization. If `examine` throws, the import stops and nothing is changed. */
export interface Examination {
  readonly examine: (proposal: Proposal) => Promise<void>;
  /** Whether this is a dry run, which stops after the examination and changes nothing. */
  readonly isRehearsal: boolean;
  /** Stores the results for an organization. Called in the transaction that publishes or confirms its revision. */
  readonly record: (connection: Connection, organization: string, revision: number) => Promise<void>;
}

/** Thrown at the end of a dry run, so that its transaction is rolled back. */
export class EndOfRehearsal extends Error {}

/** The size of the cache during an examination, in bytes. */
const CACHE = 24 << 20;

type State = Pick<Revision, "organization" | "revision" | "generation" | "title" | "counts">;

/** Reads the current and the next state of organizations over one connection, even while it writes them. */
export class Proposals {
  readonly #engine: Pick<Engine, "history" | "remote">;
  readonly #connection: Pick<Connection, "read">;
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: Pick<Engine, "history" | "remote">, connection: Pick<Connection, "read">) {
    this.#engine = engine;
    this.#connection = connection;
  }

  async current(organization: string): Promise<Reading | undefined> {
    const found = await currentOf(this.#connection, organization);
    return found === undefined ? undefined : this.#reading(found.revision);
  }

  /** The next state of an organization: a written generation that has no revision yet. */
  written(organization: Pick<Revision, "organization" | "title" | "counts">, generation: number): Reading {
    const { organization: id, title, counts } = organization;
    // All rows of a new generation hold from its first revision on, so any number does for the revision.
    return this.#reading({ organization: id, title, counts, generation, revision: FOREVER - 1 });
  }

  #reading(state: State): Reading {
    const { history, remote } = this.#engine;
    const reads: Reads = {
      history,
      remote,
      // A connection that writes runs one statement at a time.
      read: (...asked) => {
        const rows = this.#last.then(() => this.#connection.read(...asked));
        this.#last = rows.catch(() => {});
        return rows;
      },
    };
    const at = { ...state, history, erasures: 0, importedAt: new Date().toISOString() };
    return new Reading(reads, at, new RevisionCache(CACHE));
  }
}

/** Runs `work`, and returns whether it was a dry run. */
export async function rehearsing(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof EndOfRehearsal) return true;
    throw error;
  }
}
