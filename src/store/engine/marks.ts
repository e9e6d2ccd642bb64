import { type Connection, statement } from "./engine.ts";

/**
 * What has changed: revisions were published, which leaves all other organizations as they were, or anything else, after
 * which whatever is remembered of tokens and organizations has to be looked up again.
 */
export type Announcement = "revisions" | "anything";

/** Changes are numbered at random below this: after a failover a counter would come to the same number again. */
const CHANGES = 2 ** 48;

const CHANGE = statement<never>(() => "UPDATE counter SET value = $1 WHERE name = 'change'");
const RESET = statement<never>(
  () => `
    INSERT INTO counter (name, value) VALUES ('reset', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);

/** Marks that organizations or tokens change in this transaction. */
export async function markChange(connection: Connection, announcement: Announcement): Promise<void> {
  const number = Math.floor(Math.random() * CHANGES);
  await connection.write(CHANGE, number);
  if (announcement === "anything") await connection.write(RESET, number);
}

/** The columns of {@link Marks}, in their order. */
export const MARKS = `
  (SELECT value FROM counter WHERE name = 'change'),
  coalesce((SELECT value FROM counter WHERE name = 'reset'), 0),
  (SELECT value FROM counter WHERE name = 'revision')`;

export const SEEN = statement<[change: number, reset: number, revision: number]>(() => `SELECT ${MARKS}`);
/** The organizations that have revisions after one. */
export const PUBLISHED = statement<[organization: string]>(
  () => "SELECT DISTINCT organization FROM revision WHERE revision > $1",
);

/** The numbers by which a process sees whether anything has changed. */
export interface Marks {
  /** Another one after each change of an organization or a token; equal numbers are equal states. */
  readonly change: number;
  /** Another one after each change that is no new revision. */
  readonly reset: number;
  /** The last revision of any organization. */
  readonly revision: number;
}
