import { type Announcement, type Connection, statement } from "./engine.ts";

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
