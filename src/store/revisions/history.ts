/** How long revisions are kept (contract, section 10). */
import { type Connection, statement } from "../engine.ts";

/** How long a revision is kept after another one replaced it, unless somebody chose otherwise. Milliseconds. */
export const HISTORY = 400 * 24 * 60 * 60_000;

const KEPT_FOR = statement<[milliseconds: number]>(() => "SELECT value FROM counter WHERE name = 'history'");
const IN_FORCE = statement<[revision: number | null]>(
  () => "SELECT max(revision) FROM revision WHERE organization = $1 AND imported_at <= $2",
);
const RAISE = statement<never>(
  () => "UPDATE organization SET earliest = $2, pruned_at = $3 WHERE id = $1 AND earliest < $2",
);

/** How long a revision is kept after another one replaced it, in milliseconds. */
export async function historyOf(connection: Pick<Connection, "read">): Promise<number> {
  const [row] = await connection.read(KEPT_FOR);
  return row?.[0] ?? HISTORY;
}

const KEEP = statement<never>(() => "UPDATE counter SET value = $1 WHERE name = 'history'");

/** Chooses how long a revision is kept after another one replaced it, in milliseconds. */
export async function keepHistory(
  connection: Pick<Connection, "write">,
  milliseconds: number,
): Promise<void> {
  await connection.write(KEEP, milliseconds);
}

/**
 * Takes the revisions of an organization that were replaced longer ago than the history reaches from those that can be
 * read; whether there were any. Their rows stay until a later sweep: somebody may be reading them.
 */
export async function raiseEarliest(
  connection: Connection,
  organization: string,
  now: number,
): Promise<boolean> {
  const horizon = now - (await historyOf(connection));
  if (horizon < 0) return false;
  const [row] = await connection.read(IN_FORCE, organization, new Date(horizon).toISOString());
  if (row === undefined || row[0] === null) return false;
  return (await connection.write(RAISE, organization, row[0], new Date(now).toISOString())) > 0;
}
