/**
 * How a process notices that organizations or tokens have changed: every change writes new marks in its transaction.
 * By the marks that it reads, a process knows which cached answers are still current.
 */
import { type Announcement, type Connection, statement } from "./engine.ts";

/**
 * The organizations that changed, as far as this process has noticed. Each noticed change increments the version. What
 * was read of an organization at version V is current as long as {@link of} returns V or less.
 */
export class NoticedChanges {
  #version = 0;
  #all = 0;
  readonly #organizations = new Map<string, number>();
  #marks: Marks | undefined;

  get version(): number {
    return this.#version;
  }

  /** The version at which an organization last changed. */
  of(organization: string): number {
    return Math.max(this.#all, this.#organizations.get(organization) ?? 0);
  }

  /**
   * The latest revision of any organization, as last read; `undefined` before the first call of {@link see} and after
   * {@link doubt}.
   */
  get revision(): number | undefined {
    return this.#marks?.revision;
  }

  /**
   * Compares newly read marks with the previous ones, and returns whether anything changed. `published` returns the
   * organizations with revisions after a number, or `undefined` if they are unknown; it is called only if needed.
   */
  see(marks: Marks, published: (after: number) => readonly string[] | undefined): boolean {
    const known = this.#marks;
    if (known?.change === marks.change) return false;
    this.#marks = marks;
    const onlyRevisions = known?.reset === marks.reset && known.revision <= marks.revision;
    const organizations = onlyRevisions ? published(known.revision) : undefined;
    this.#version++;
    if (organizations === undefined) {
      this.#all = this.#version;
      this.#organizations.clear();
    } else {
      for (const each of organizations) this.#organizations.set(each, this.#version);
    }
    return true;
  }

  /** Counts a change of an organization that the marks do not show. */
  note(organization: string): void {
    this.#organizations.set(organization, ++this.#version);
  }

  /**
   * Makes the next call of {@link see} count as a change of all organizations. Call it when the last marks may come
   * from a transaction that was rolled back.
   */
  doubt(): void {
    this.#marks = undefined;
  }
}

/** Change numbers are random, below this limit. A counter could assign a number twice after a failover. */
const CHANGES = 2 ** 48;

const CHANGE = statement<never>(() => "UPDATE counter SET value = $1 WHERE name = 'change'");
const RESET = statement<never>(
  () => `
    INSERT INTO counter (name, value) VALUES ('reset', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);

/** Records in this transaction that organizations or tokens change. */
export async function markChange(connection: Connection, announcement: Announcement): Promise<void> {
  const number = Math.floor(Math.random() * CHANGES);
  await connection.write(CHANGE, number);
  if (announcement === "anything") await connection.write(RESET, number);
}

/** SQL: the columns of {@link Marks}, in order. */
export const MARKS = `
  (SELECT value FROM counter WHERE name = 'change'),
  coalesce((SELECT value FROM counter WHERE name = 'reset'), 0),
  (SELECT value FROM counter WHERE name = 'revision')`;

export const SEEN = statement<[change: number, reset: number, revision: number]>(() => `SELECT ${MARKS}`);
/** The organizations that have a revision after `$1`. */
export const PUBLISHED = statement<[organization: string]>(
  () => "SELECT DISTINCT organization FROM revision WHERE revision > $1",
);

/** Numbers by which a process sees whether anything in the database has changed. */
export interface Marks {
  /** Has another value after each change of an organization or token. */
  readonly change: number;
  /** Has another value after each change other than a new revision. */
  readonly reset: number;
  /** The latest revision of any organization. */
  readonly revision: number;
}
