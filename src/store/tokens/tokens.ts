import { createHash, randomBytes } from "node:crypto";
import { CommandError } from "../../domain/error.ts";
import { FOREVER } from "../schema/as-of.ts";
import { type Connection, type Engine, statement } from "../engine/engine.ts";
import { type Token, TOKEN_COLUMNS, tokenOf } from "../revisions/organizations/registry.ts";
import { MEMBERS } from "../schema/set-names.ts";
import type { Store } from "../store.ts";
import { currentOf } from "../revisions/current.ts";

export interface TokenRequest {
  readonly organization: string;
  readonly member?: string | undefined;
  readonly name: string;
  /** Milliseconds from now; absent for a token that does not expire. */
  readonly lifetime?: number | undefined;
}

const INSERT = statement<never>(
  () => `
    INSERT INTO token (id, hash, organization, member, name, created_at, expires_at, lifetime)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const LIST = statement<ListedRow>(
  () => `SELECT ${TOKEN_COLUMNS}, last_used_at, replaced_by FROM token ORDER BY organization, created_at, id`,
);
const REVOKE = statement<never>(() => "DELETE FROM token WHERE id = $1");
const REVOKE_NAMED = statement<never>(() => "DELETE FROM token WHERE organization = $1 AND name = $2");

type ListedRow = [...Parameters<typeof tokenOf>[0], lastUsedAt: string | null, replacedBy: string | null];

export interface ListedToken extends Token {
  /** The beginning of the hour of the last use that has been written. */
  readonly lastUsedAt: string | undefined;
  /** The id of the token that replaces this one. */
  readonly replacedBy: string | undefined;
}

/** The stored form of a token: its SHA-256, hexadecimal (contract, section 7). */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * Creates a token and returns it; it cannot be shown again. With `replace`, deletes the organization's other tokens of
 * the same name. Throws a CommandError if the organization or the member does not exist.
 */
export async function createToken(store: Store, request: TokenRequest, replace = false): Promise<string> {
  return store.engine.transaction(async (connection) => {
    const { organization, member, name } = request;
    await mustBeThere(connection, organization, member);
    const revoked = replace ? await connection.write(REVOKE_NAMED, organization, name) : 0;
    const { token } = await insert(connection, request);
    // A new token needs no announcement, because no process caches that a token does not exist.
    if (revoked > 0) await store.engine.announce(connection, "anything");
    return token;
  });
}

/** Inserts a new token into the table, and returns it with its id. */
export async function insert(
  connection: Connection,
  { organization, member, name, lifetime }: TokenRequest,
): Promise<{ readonly token: string; readonly id: string }> {
  const token = `rb_${randomBytes(32).toString("base64url")}`;
  const id = randomBytes(6).toString("hex");
  const now = Date.now();
  await connection.write(
    INSERT,
    id,
    hashOf(token),
    organization,
    member ?? null,
    name,
    new Date(now).toISOString(),
    lifetime === undefined ? null : new Date(now + lifetime).toISOString(),
    lifetime ?? null,
  );
  return { token, id };
}

/**
 * Locks the row of an organization until the transaction ends, so that no other transaction changes or removes the
 * organization.
 */
const HOLD = statement<never>(() => "UPDATE organization SET revision = revision WHERE id = $1");
const MEMBER = statement<[one: number]>(
  () => `
    SELECT 1 FROM place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = $2
        AND m.generation = $1 AND m.position = p.position AND m.until = ${FOREVER}`,
);

/**
 * Throws a CommandError if the organization or the member does not exist. Both stay as they are until the transaction
 * ends.
 */
export async function mustBeThere(
  connection: Connection,
  id: string,
  member: string | undefined,
): Promise<void> {
  if ((await connection.write(HOLD, id)) === 0) {
    throw new CommandError(`There is no organization ${JSON.stringify(id)}.`);
  }
  if (member === undefined) return;
  const current = await currentOf(connection, id);
  if (current === undefined || (await connection.read(MEMBER, current.generation, member)).length === 0) {
    throw new CommandError(`There is no member ${JSON.stringify(member)} in organization ${id}.`);
  }
}

/** All tokens, by organization, then by time of creation. */
export async function listTokens(engine: Engine): Promise<ListedToken[]> {
  return (await engine.readFresh(LIST)).map(
    ([id, organization, member, name, createdAt, expiresAt, lastUsedAt, replacedBy]) => ({
      ...tokenOf([id, organization, member, name, createdAt, expiresAt]),
      lastUsedAt: lastUsedAt ?? undefined,
      replacedBy: replacedBy ?? undefined,
    }),
  );
}

/** Revokes a token at once, in every process. Throws a CommandError for an unknown id. */
export async function revokeToken(engine: Engine, id: string): Promise<void> {
  const revoked = await engine.transaction(async (connection) => {
    const rows = await connection.write(REVOKE, id);
    await engine.announce(connection, "anything");
    return rows;
  });
  if (revoked === 0) throw noToken(id);
}

export function noToken(id: string): CommandError {
  return new CommandError(`There is no token with id ${JSON.stringify(id)}; see rolebook token list.`);
}
