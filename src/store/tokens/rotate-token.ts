import { CommandError } from "../../domain/error.ts";
import { type Connection, statement } from "../engine/engine.ts";
import type { Store } from "../store.ts";
import { insert, mustBeThere, noToken } from "./tokens.ts";

export interface Rotation {
  /** The new token. It cannot be shown again. */
  readonly token: string;
  /** When the old token stops working (ISO 8601, UTC). */
  readonly until: string;
}

type Row = [
  organization: string,
  member: string | null,
  name: string,
  expiresAt: string | null,
  lifetime: number | null,
];

const FIND = statement<Row>(
  () => "SELECT organization, member, name, expires_at, lifetime FROM token WHERE id = $1",
);
const REPLACE = statement<never>(() => "UPDATE token SET expires_at = $2, replaced_by = $3 WHERE id = $1");

/**
 * Creates a token with the name, organization, member and lifetime of an old token. The old token stops working after
 * `grace` milliseconds, or at its own expiry if that is earlier. Throws a CommandError if the old token does not exist
 * or has expired.
 */
export async function rotateToken({ engine }: Store, id: string, grace: number): Promise<Rotation> {
  return engine.transaction(async (connection) => {
    const [organization, member] = await find(connection, id);
    await mustBeThere(connection, organization, member ?? undefined);
    // Reads again: the token may have been revoked while this transaction waited for the lock.
    const [, , name, expiresAt, lifetime] = await find(connection, id);
    const made = await insert(connection, {
      organization,
      member: member ?? undefined,
      name,
      lifetime: lifetime ?? undefined,
    });
    const last = new Date(Date.now() + grace).toISOString();
    const until = expiresAt === null || last < expiresAt ? last : expiresAt;
    await connection.write(REPLACE, id, until, made.id);
    await engine.announce(connection, "anything");
    return { token: made.token, until };
  });
}

async function find(connection: Connection, id: string): Promise<Row> {
  const [row] = await connection.read(FIND, id);
  if (row === undefined) throw noToken(id);
  const [, , , expiresAt] = row;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    throw new CommandError(`Token ${id} expired at ${expiresAt}; make a new one with rolebook token create.`);
  }
  return row;
}
