/**
 * Signing in (docs/sign-in.md): which account at a provider is bound to which member, and the sessions of members who
 * signed in. A session is a token with an issuer, so revocation, last use and the end of tokens when a member leaves
 * (tokens.ts) hold for it too.
 */
import { ApiError, CommandError } from "../domain/error.ts";
import { memberId } from "../model/model.ts";
import { membersCalled } from "../model/names.ts";
import { type Connection, type Engine, statement } from "./engine/engine.ts";
import { modelOf } from "./models.ts";
import type { Reading, Revision } from "./reading.ts";
import { currentOf } from "./revisions/publication.ts";
import type { Token } from "./revisions/registry.ts";
import { membersById } from "./rows/look-up.ts";
import type { Store } from "./store.ts";
import { HOLD, hashOf, insertToken } from "./tokens.ts";
import { workInTurns } from "./turns.ts";

/** An account at a provider: its issuer and `sub`, for one organization. */
export interface Account {
  readonly organization: string;
  readonly issuer: string;
  readonly subject: string;
}

/** What the provider says about the person, by which an account is bound to a member at the first sign-in. */
export interface Claimed {
  readonly is: "email" | "id";
  readonly value: string;
}

/** How long a session lasts without a use, and altogether, in milliseconds. */
export interface Lifetimes {
  readonly idle: number;
  readonly longest: number;
}

/** Why nobody is signed in, for the log; people who sign in must not learn which of these it is. */
export type Unbound = "no member" | "several members" | "a member of another account";

/** The largest number of sessions of a member. The next one ends the oldest. */
const MOST_SESSIONS = 10;

const BOUND = statement<[member: string]>(
  () => "SELECT member FROM sign_in WHERE organization = $1 AND issuer = $2 AND subject = $3",
);
const OTHER = statement<[subject: string]>(
  () => "SELECT subject FROM sign_in WHERE organization = $1 AND issuer = $2 AND member = $3",
);
const BIND = statement<never>(
  () => "INSERT INTO sign_in (organization, issuer, subject, member, bound_at) VALUES ($1, $2, $3, $4, $5)",
);
const DROP_EXPIRED = statement<never>(
  () => "DELETE FROM token WHERE issuer IS NOT NULL AND expires_at <= $1",
);
const NEWEST_FIRST = statement<[id: string]>(
  () => `
    SELECT id FROM token WHERE organization = $1 AND member = $2 AND issuer IS NOT NULL
      ORDER BY created_at DESC, id`,
);
const END = statement<never>(() => "DELETE FROM token WHERE id = $1 AND issuer IS NOT NULL");
const END_BY_HASH = statement<never>(() => "DELETE FROM token WHERE hash = $1 AND issuer IS NOT NULL");

/** Who may have a claimed address at a revision: the model of that revision says it. */
interface Candidates {
  readonly at: Revision;
  readonly members: readonly string[];
}

/** Whose candidates are missing: the current revision's. Others may have joined or left since an earlier one. */
interface Wanted {
  readonly wanted: Revision;
}

/** How often candidates are looked for while changes go on. Each look takes milliseconds. */
const TRIES = 20;

/**
 * Begins a session for the member to whom an account is bound, and returns its value, which cannot be shown again. An
 * account that is not bound is bound first, to the one member whom the claim names. Ends the session `old`, the
 * member's oldest one beyond {@link MOST_SESSIONS}, and deletes expired ones. Throws a CommandError if the database
 * cannot be written.
 */
export async function beginSession(
  store: Store,
  account: Account,
  claimed: Claimed | undefined,
  lifetimes: Lifetimes,
  old: string | undefined,
): Promise<{ readonly session: string } | Unbound> {
  let candidates: Candidates | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const begun = await begin(store.engine, account, { claimed, candidates }, lifetimes, old);
    if (typeof begun === "string" || "session" in begun) return begun;
    const at = { ...begun.wanted, history: store.engine.history };
    candidates = await candidatesAt(store, at, claimed);
  }
  throw new ApiError("unavailable", "The organization changes faster than it can be read; try again.", {
    "retry-after": "5",
  });
}

async function candidatesAt(store: Store, at: Revision, claimed: Claimed | undefined): Promise<Candidates> {
  const model = await modelOf(store.reading(at));
  const members = await workInTurns(membersCalled(model, claimed?.value ?? ""));
  return { at, members: members.map((member) => memberId(model, member)) };
}

/** What a person claims to be, and who may be meant. */
interface Claim {
  readonly claimed: Claimed | undefined;
  readonly candidates: Candidates | undefined;
}

async function begin(
  engine: Engine,
  account: Account,
  claim: Claim,
  { idle, longest }: Lifetimes,
  old: string | undefined,
): Promise<{ readonly session: string } | Wanted | Unbound> {
  return engine.transaction(async (connection) => {
    const { organization, issuer } = account;
    if ((await connection.write(HOLD, organization)) === 0) return "no member";
    const found = await boundMember(connection, account, claim);
    if (typeof found === "string" || "wanted" in found) return found;
    await connection.write(DROP_EXPIRED, new Date().toISOString());
    let ended = old === undefined ? 0 : await connection.write(END_BY_HASH, hashOf(old));
    const others = await connection.read(NEWEST_FIRST, organization, found.member);
    for (const [id] of others.slice(MOST_SESSIONS - 1)) ended += await connection.write(END, id);
    const { member } = found;
    const made = { organization, member, name: "signed in", lifetime: longest, idle, issuer };
    const { token: session } = await insertToken(connection, "rbs", made);
    if (ended > 0) await engine.announce(connection, "anything");
    return { session };
  });
}

async function boundMember(
  connection: Connection,
  { organization, issuer, subject }: Account,
  { claimed, candidates }: Claim,
): Promise<{ readonly member: string } | Wanted | Unbound> {
  const current = await currentOf(connection, organization);
  if (current === undefined) return "no member";
  const [bound] = await connection.read(BOUND, organization, issuer, subject);
  if (bound !== undefined) {
    const [member] = bound;
    return (await membersById(current, [member])).has(member) ? { member } : "no member";
  }
  if (claimed === undefined) return "no member";
  if (claimed.is === "email" && !isOf(current.at, candidates)) return { wanted: current.at };
  const [member, ...others] = await claimedMembers(current, claimed, candidates?.members ?? []);
  if (member === undefined) return "no member";
  if (others.length > 0) return "several members";
  if ((await connection.read(OTHER, organization, issuer, member)).length > 0) {
    return "a member of another account";
  }
  await connection.write(BIND, organization, issuer, subject, member, new Date().toISOString());
  return { member };
}

function isOf({ revision, generation, importedAt }: Revision, candidates: Candidates | undefined): boolean {
  const { at } = candidates ?? {};
  return at?.revision === revision && at.generation === generation && at.importedAt === importedAt;
}

/** The ids of all members whom a claim names. Addresses are compared with ASCII letters folded, and nothing else. */
async function claimedMembers(
  current: Reading,
  { is, value }: Claimed,
  candidates: readonly string[],
): Promise<string[]> {
  if (is === "id") return [...(await membersById(current, [value])).keys()];
  const members = await membersById(current, candidates);
  return [...members.values()].flatMap(({ id, document }) => {
    const { email = "" }: { email?: string } = JSON.parse(document.text);
    return asciiFolded(email) === asciiFolded(value) ? [id] : [];
  });
}

function asciiFolded(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Ends a session at once, in every process. Does nothing if there is none. */
export async function endSession(engine: Engine, session: string): Promise<void> {
  await engine.transaction(async (connection) => {
    if ((await connection.write(END_BY_HASH, hashOf(session))) > 0) {
      await engine.announce(connection, "anything");
    }
  });
}

const PROLONG = statement<never>(
  () => "UPDATE token SET expires_at = $2 WHERE id = $1 AND issuer IS NOT NULL AND expires_at < $2",
);
/** A use moves the end of a session only if it moves it by more than this, in milliseconds, or an eighth of `idle`. */
const STEP = 60 * 60_000;

/**
 * Moves the end of a session that is used. Returns whether it was moved, after which the session must be read again; a
 * database that is busy or read-only leaves the end as it is.
 */
export async function prolong(
  engine: Engine,
  { id, createdAt, expiresAt = "" }: Token,
  { idle, longest }: Lifetimes,
): Promise<boolean> {
  const end = Math.min(Date.now() + idle, Date.parse(createdAt) + longest);
  if (end - Date.parse(expiresAt) < Math.min(STEP, idle / 8)) return false;
  return ((await engine.writeIfFree(PROLONG, id, new Date(end).toISOString())) ?? 0) > 0;
}

export interface Binding extends Account {
  readonly member: string;
  /** ISO 8601, UTC. */
  readonly boundAt: string;
}

const LIST = statement<
  [organization: string, issuer: string, subject: string, member: string, boundAt: string]
>(
  () =>
    "SELECT organization, issuer, subject, member, bound_at FROM sign_in ORDER BY organization, member, issuer",
);

/** All bindings, by organization and member. */
export async function listBindings(engine: Engine): Promise<Binding[]> {
  return (await engine.read(LIST)).map(([organization, issuer, subject, member, boundAt]) => ({
    organization,
    issuer,
    subject,
    member,
    boundAt,
  }));
}

const UNBIND = statement<never>(() => "DELETE FROM sign_in WHERE organization = $1 AND member = $2");
const END_ALL = statement<never>(
  () => "DELETE FROM token WHERE organization = $1 AND member = $2 AND issuer IS NOT NULL",
);

/**
 * Unbinds a member's accounts and ends the member's sessions, at once in every process. Returns the number of sessions.
 * Throws a CommandError if no account is bound to the member.
 */
export async function unbind(engine: Engine, organization: string, member: string): Promise<number> {
  return engine.transaction(async (connection) => {
    // A sign-in that goes on ends first, so that the session that it begins is ended too.
    await connection.write(HOLD, organization);
    if ((await connection.write(UNBIND, organization, member)) === 0) {
      throw new CommandError(
        `No account is bound to ${JSON.stringify(member)} in organization ${organization}; see rolebook sign-in list.`,
      );
    }
    const ended = await connection.write(END_ALL, organization, member);
    await engine.announce(connection, "anything");
    return ended;
  });
}
