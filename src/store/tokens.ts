/**
 * Tokens: their creation, rotation and revocation, their end when a member leaves (docs/operations.md), and the record of
 * their last use. The registry (revisions/registry.ts) looks a token up for a request.
 */
import { CommandError } from "../domain/error.ts";
import { type Connection, type Engine, statement } from "./engine/engine.ts";
import { currentOf } from "./revisions/publication.ts";
import { TOKEN_COLUMNS, type Token, tokenOf } from "./revisions/registry.ts";
import { type Place, PRESENT } from "./rows/tables.ts";
import type { Store } from "./store.ts";
import type { RecordChange } from "../domain/record-change.ts";
import { createHash, randomBytes } from "node:crypto";

interface TokenRequest {
  readonly organization: string;
  readonly member?: string | undefined;
  readonly name: string;
  /** Milliseconds from now; absent for a token that does not expire. */
  readonly lifetime?: number | undefined;
}

const INSERT = statement<never>(
  () => `
    INSERT INTO token (id, hash, organization, member, name, created_at, expires_at, lifetime, issuer)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const LIST = statement<TokenListRow>(
  () => `SELECT ${TOKEN_COLUMNS}, last_used_at, replaced_by FROM token ORDER BY organization, created_at, id`,
);
const REVOKE = statement<never>(() => "DELETE FROM token WHERE id = $1");
const REVOKE_NAMED = statement<never>(
  () => "DELETE FROM token WHERE organization = $1 AND name = $2 AND issuer IS NULL",
);

type TokenListRow = [...Parameters<typeof tokenOf>[0], lastUsedAt: string | null, replacedBy: string | null];

/** A token, or a session, as a list shows it. */
export interface ListedToken extends Token {
  /** The beginning of the hour of the last use that has been written. */
  readonly lastUsedAt: string | undefined;
  /** The id of the token that replaces this one. */
  readonly replacedBy: string | undefined;
}

/** The stored form of a token: its SHA-256, hexadecimal (docs/operations.md). */
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
    const { token } = await insertToken(connection, "rb", request);
    // A new token needs no announcement, because no process caches that a token does not exist.
    if (revoked > 0) await store.engine.announce(connection, "anything");
    return token;
  });
}

interface NewToken extends TokenRequest {
  /** The provider of a session, which ends `idle` milliseconds after its last use. */
  readonly issuer?: string;
  readonly idle?: number;
}

/** Inserts a new token or session into the table, and returns it with its id. */
export async function insertToken(
  connection: Connection,
  prefix: "rb" | "rbs",
  { organization, member, name, lifetime, idle = Infinity, issuer }: NewToken,
): Promise<{ readonly token: string; readonly id: string }> {
  const token = `${prefix}_${randomBytes(32).toString("base64url")}`;
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
    lifetime === undefined ? null : new Date(now + Math.min(idle, lifetime)).toISOString(),
    lifetime ?? null,
    issuer ?? null,
  );
  return { token, id };
}

/**
 * Locks the row of an organization until the transaction ends, so that no other transaction changes or removes the
 * organization.
 */
export const HOLD = statement<never>(() => "UPDATE organization SET revision = revision WHERE id = $1");

/**
 * Throws a CommandError if the organization or the member does not exist. Both stay as they are until the transaction
 * ends.
 */
async function mustBeThere(connection: Connection, id: string, member: string | undefined): Promise<void> {
  if ((await connection.write(HOLD, id)) === 0) {
    throw new CommandError(`There is no organization ${JSON.stringify(id)}.`);
  }
  if (member === undefined) return;
  const current = await currentOf(connection, id);
  if (current === undefined || (await connection.read(PRESENT, ...current.asOf, [member])).length === 0) {
    throw new CommandError(`There is no member ${JSON.stringify(member)} in organization ${id}.`);
  }
}

/** All tokens and sessions, by organization, then by time of creation. */
export async function listTokens(engine: Engine): Promise<ListedToken[]> {
  return (await engine.read(LIST)).map(
    ([id, organization, member, name, createdAt, expiresAt, issuer, lastUsedAt, replacedBy]) => ({
      ...tokenOf([id, organization, member, name, createdAt, expiresAt, issuer]),
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

function noToken(id: string): CommandError {
  return new CommandError(`There is no token with id ${JSON.stringify(id)}; see rolebook token list.`);
}

interface Rotation {
  /** The new token. It cannot be shown again. */
  readonly token: string;
  /** When the old token stops working (ISO 8601, UTC). */
  readonly until: string;
}

type TokenColumns = [
  organization: string,
  member: string | null,
  name: string,
  expiresAt: string | null,
  lifetime: number | null,
  issuer: string | null,
];

const FIND = statement<TokenColumns>(
  () => "SELECT organization, member, name, expires_at, lifetime, issuer FROM token WHERE id = $1",
);
const REPLACE = statement<never>(() => "UPDATE token SET expires_at = $2, replaced_by = $3 WHERE id = $1");

/**
 * Creates a token with the name, organization, member and lifetime of an old token. The old token stops working after
 * `grace` milliseconds, or at its own expiry if that is earlier. Throws a CommandError if the old token does not exist
 * or has expired, and for a session.
 */
export async function rotateToken({ engine }: Store, id: string, grace: number): Promise<Rotation> {
  return engine.transaction(async (connection) => {
    const [organization, member] = await find(connection, id);
    await mustBeThere(connection, organization, member ?? undefined);
    // Reads again: the token may have been revoked while this transaction waited for the lock.
    const [, , name, expiresAt, lifetime] = await find(connection, id);
    const made = await insertToken(connection, "rb", {
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

async function find(connection: Connection, id: string): Promise<TokenColumns> {
  const [row] = await connection.read(FIND, id);
  if (row === undefined) throw noToken(id);
  const [, , , expiresAt, , issuer] = row;
  if (issuer !== null) {
    throw new CommandError(`Token ${id} is a session, which is not rotated; every sign-in makes a new one.`);
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    throw new CommandError(`Token ${id} expired at ${expiresAt}; make a new one with rolebook token create.`);
  }
  return row;
}

const HOLDERS = statement<[member: string]>(
  () => `
    SELECT member FROM token WHERE organization = $1 AND member IS NOT NULL
      UNION SELECT member FROM sign_in WHERE organization = $1`,
);
const DROP_TOKENS = statement<never>(() => "DELETE FROM token WHERE organization = $1 AND member = $2");
const DROP_BINDINGS = statement<never>(() => "DELETE FROM sign_in WHERE organization = $1 AND member = $2");

/**
 * Deletes the tokens, sessions and bindings of those who are no members at a revision (docs/api.md, docs/sign-in.md). No
 * statement here reads tables of generations and modifies a small table: a distributed PostgreSQL could not run it.
 */
export async function dropTokens(
  connection: Connection,
  organization: string,
  { generation, revision }: Place,
): Promise<void> {
  const holders = (await connection.read(HOLDERS, organization)).map(([member]) => member);
  if (holders.length === 0) return;
  const present = new Set(
    (await connection.read(PRESENT, generation, revision, holders)).map(([member]) => member),
  );
  for (const member of holders) {
    if (present.has(member)) continue;
    await connection.write(DROP_TOKENS, organization, member);
    await connection.write(DROP_BINDINGS, organization, member);
  }
}

const UNEXPIRED = statement<Parameters<typeof tokenOf>[0]>(
  () => `
    SELECT ${TOKEN_COLUMNS} FROM token
      WHERE organization = $1 AND member IS NOT NULL AND issuer IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at, id`,
);

/** The unexpired tokens that an import deletes, because `stays` is not true of their members (docs/api.md). */
export async function endingTokens(
  connection: Connection,
  organization: string,
  stays: (member: string) => boolean,
): Promise<Token[]> {
  const tokens = await unexpiredTokens(connection, organization);
  return tokens.filter(({ member }) => member !== undefined && !stays(member));
}

/** The unexpired tokens that a change deletes, because it removes their members (docs/api.md). */
export async function tokensOfLeavers(
  connection: Connection,
  organization: string,
  records: readonly RecordChange[],
): Promise<Token[]> {
  const leaving = new Set(
    records.flatMap((each) =>
      each.kind === "member" && each.becomes === undefined ? (each.member ?? []) : [],
    ),
  );
  if (leaving.size === 0) return [];
  const tokens = await unexpiredTokens(connection, organization);
  return tokens.filter(({ member }) => member !== undefined && leaving.has(member));
}

/** The unexpired tokens of an organization's members, by time of creation; no sessions, because those end by themselves. */
async function unexpiredTokens(connection: Connection, organization: string): Promise<Token[]> {
  return (await connection.read(UNEXPIRED, organization, new Date().toISOString())).map(tokenOf);
}

/** The shortest lifetime of tokens whose expiry matters to operators, in milliseconds. */
const LASTING = 14 * 24 * 60 * 60_000;

const NEXT_EXPIRY = statement<[expiresAt: string | null]>(
  () => `
    SELECT min(expires_at) FROM token WHERE replaced_by IS NULL AND issuer IS NULL AND lifetime >= $1 AND expires_at > $2`,
);

/**
 * The next expiry that an operator must act on (ISO 8601, UTC). Ignores tokens that were rotated, and tokens with a
 * lifetime of less than 14 days.
 */
export async function nextExpiry(engine: Engine): Promise<string | undefined> {
  const [row] = await engine.read(NEXT_EXPIRY, LASTING, new Date().toISOString());
  return row?.[0] ?? undefined;
}

const HOUR = 60 * 60_000;
/** The interval between two batches, and the delay before the first one, in milliseconds. */
const BATCH_INTERVAL = 10 * 60_000;
const FIRST_DELAY = 1_000;
/** The maximum number of tokens in a batch. Other tokens wait for the next batch. */
const LARGEST = 5_000;

/** Updates existing rows only, so that a revoked token is not inserted again. */
const USED = statement<never>(
  ({ texts }) => `
    UPDATE token SET last_used_at = $1
      WHERE id IN (SELECT used.value FROM ${texts("$2", "used")}) AND (last_used_at IS NULL OR last_used_at < $1)`,
);

/**
 * Records the last use of each token, to the hour, for `rolebook token list`. `note` is cheap: one look-up in a set.
 * Uses are written in batches, and a batch waits while the database is busy.
 */
export class LastUsed {
  readonly #engine: Engine;
  readonly #failed: (error: unknown) => void;
  /** The current hour, in hours since 1970, and the tokens used in it. */
  #hour = 0;
  readonly #used = new Set<string>();
  /** The hour of each last use that has not been written, by token id. */
  readonly #unwritten = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #written = -Infinity;

  /** `failed` receives unexpected errors. */
  constructor(engine: Engine, failed: (error: unknown) => void) {
    this.#engine = engine;
    this.#failed = failed;
  }

  note(id: string): void {
    const hour = Math.floor(Date.now() / HOUR);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#used.clear();
    }
    if (this.#used.has(id)) return;
    this.#used.add(id);
    this.#unwritten.set(id, hour);
    this.#schedule();
  }

  /** Writes the remaining uses, one batch at most. Do not call `note` afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    const wait = Math.max(FIRST_DELAY, this.#written + BATCH_INTERVAL - performance.now());
    this.#timer ??= setTimeout(() => void this.#write(), wait).unref();
  }

  async #write(): Promise<void> {
    this.#written = performance.now();
    this.#timer = undefined;
    try {
      await this.#writeBatch();
    } catch (error) {
      this.#failed(error);
    }
    if (this.#unwritten.size > 0) this.#schedule();
  }

  async #writeBatch(): Promise<void> {
    const batch = [...this.#unwritten].slice(0, LARGEST);
    for (const [hour, tokens] of Map.groupBy(batch, ([, each]) => each)) {
      const ids = tokens.map(([id]) => id);
      const changed = await this.#engine.writeIfFree(USED, new Date(hour * HOUR).toISOString(), ids);
      if (changed === undefined) return;
      // A token that was used again in a later hour stays for the next batch.
      for (const id of ids) if (this.#unwritten.get(id) === hour) this.#unwritten.delete(id);
    }
  }
}
