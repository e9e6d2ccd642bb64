/**
 * Finds the token of a request, and the organization with its current revision. Every request begins here, so both are
 * cached, until the engine says that the organization changed. On a distributed database, an organization stays at the
 * revision before its latest one until the latest can be read; see publication.ts.
 */
import { unavailable } from "../../domain/error.ts";
import { type Engine, statement } from "../engine/engine.ts";
import { isApplied } from "./publication.ts";
import {
  type Organization,
  Past,
  REVISION_COLUMNS,
  type RevisionRow,
  revisionOf,
  CURRENT,
  READABLE,
} from "./past.ts";
import type { Revision } from "../reading.ts";

/** The properties of a token (docs/api.md). */
export interface Token {
  readonly id: string;
  readonly organization: string;
  /** The member with whose permissions the token acts; `undefined` for a token of the organization. */
  readonly member: string | undefined;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
  /** The provider that signed the member in, if this token is a session (docs/sign-in.md). */
  readonly issuer: string | undefined;
}

export function hasExpired({ expiresAt }: Token): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

export interface FoundToken {
  readonly token: Token;
  /** The engine's version at the look-up. See {@link Registry.isUnchanged}. */
  readonly version: number;
}

interface FoundOrganization {
  readonly organization: Organization;
  readonly version: number;
}

type TokenRow = [
  id: string,
  organization: string,
  member: string | null,
  name: string,
  createdAt: string,
  expiresAt: string | null,
  issuer: string | null,
];

export const TOKEN_COLUMNS = "id, organization, member, name, created_at, expires_at, issuer";

const TOKEN = statement<TokenRow>(() => `SELECT ${TOKEN_COLUMNS} FROM token WHERE hash = $1`);

/** The current revision of the organization of the token with the hash `$1`. */
const CURRENT_OF_TOKEN = statement<RevisionRow>(
  () => `
    SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.revision = o.revision
      WHERE o.id = (SELECT organization FROM token WHERE hash = $1)`,
);

/** The revision before `$2`. Its rows were there before the change that replaced it could be written. */
const PREVIOUS = statement<RevisionRow>(
  () => `SELECT ${REVISION_COLUMNS} ${READABLE} AND r.revision < $2 ORDER BY r.revision DESC LIMIT 1`,
);

/** Sessions come and go, so what is known of tokens is dropped when there are this many. */
const MOST_KNOWN = 50_000;

/**
 * Looks up tokens and the current revisions of organizations. Both are cached until the engine reports a change of the
 * organization.
 */
export class Registry {
  readonly past: Past;
  readonly #engine: Engine;
  readonly #tokens = new Map<string, FoundToken>();
  readonly #organizations = new Map<string, FoundOrganization>();
  /** Organizations that were answered at the revision before the latest, which could not be read yet. */
  readonly #waiting = new Set<string>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.past = new Past(engine);
  }

  /** The token with this SHA-256 (hexadecimal); `undefined` if there is none. The caller must check the expiry. */
  async token(hash: string): Promise<FoundToken | undefined> {
    const version = await this.#version();
    const known = this.#tokens.get(hash);
    if (known !== undefined && this.#holds(known.token.organization, known.version)) return known;
    const { history } = this.#engine;
    // Reads the organization in the same round trip, because the caller needs it next.
    const [[row], [current]] = await Promise.all([
      this.#engine.read(TOKEN, hash),
      this.#engine.read(CURRENT_OF_TOKEN, hash),
    ]);
    if (row === undefined) {
      this.#tokens.delete(hash);
      return undefined;
    }
    const token = tokenOf(row);
    const found = { token, version };
    if (this.#tokens.size >= MOST_KNOWN) this.#tokens.clear();
    this.#tokens.set(hash, found);
    if (current !== undefined) await this.#accept(current, history, version);
    return found;
  }

  /** Makes the next look-up of a token read it again: a use of a session moves its end, which nothing announces. */
  forget(hash: string): void {
    this.#tokens.delete(hash);
  }

  async organization(id: string): Promise<Organization | undefined> {
    const version = await this.#version();
    const { history } = this.#engine;
    const known = this.#remembered(id);
    if (known !== undefined) return known;
    const [current] = await this.#engine.read(CURRENT, id);
    if (current === undefined) {
      this.#organizations.delete(id);
      this.#waiting.delete(id);
      return undefined;
    }
    return this.#accept(current, history, version);
  }

  /**
   * The organization of a token that was just looked up. Uses the cached organization, which is as recent as the token,
   * without asking the engine for a newer version.
   */
  organizationOf(token: Token): Organization | Promise<Organization | undefined> {
    return this.#remembered(token.organization) ?? this.organization(token.organization);
  }

  /**
   * Whether the organization and its tokens are unchanged since a version of the engine, so that what was computed from
   * them is still valid. False if only waiting could tell, or if the database cannot be read: who reads it next receives
   * the error.
   */
  isUnchanged(organization: string, since: number): boolean {
    let version: number | Promise<number>;
    try {
      version = this.#engine.version();
    } catch {
      return false;
    }
    // An organization whose latest revision cannot be read yet is not remembered: each request looks again.
    if (typeof version === "number") {
      return this.#holds(organization, since) && this.#remembered(organization) !== undefined;
    }
    // Callers that await the version receive the error.
    version.catch(() => {});
    return false;
  }

  async #version(): Promise<number> {
    const asked = this.#engine.version();
    return typeof asked === "number" ? asked : await asked;
  }

  #holds(organization: string, since: number): boolean {
    return this.#engine.changedAt(organization) <= since;
  }

  #remembered(id: string): Organization | undefined {
    const found = this.#organizations.get(id);
    return found !== undefined && this.#holds(id, found.version) ? found.organization : undefined;
  }

  /**
   * The organization at its latest revision, or at the one before it until the latest can be read (see publication.ts).
   * Throws an ApiError (503) if there is none before it.
   */
  async #accept(latest: RevisionRow, history: number, version: number): Promise<Organization> {
    const organization = organizationOf(latest, history);
    const { current } = organization;
    const id = current.organization;
    if (!this.#isKnown(current)) {
      if (!(await isApplied(this.#engine, current))) {
        this.#waiting.add(id);
        const [previous] = await this.#engine.read(PREVIOUS, id, current.revision);
        if (previous === undefined) throw unavailable();
        return organizationOf(previous, history);
      }
      // What was answered meanwhile is of an earlier revision, although the engine noticed no change since.
      if (this.#waiting.delete(id)) this.#engine.noteChange(id);
    }
    this.#keep(id, organization, version);
    return organization;
  }

  #isKnown({ organization, generation, revision, history }: Revision): boolean {
    const known = this.#organizations.get(organization)?.organization.current;
    return known?.generation === generation && known.revision === revision && known.history === history;
  }

  #keep(id: string, organization: Organization, version: number): void {
    // Concurrent look-ups may end in any order. The newer result is kept.
    if ((this.#organizations.get(id)?.version ?? -1) <= version) {
      this.#organizations.set(id, { organization, version });
    }
  }
}

export function tokenOf([id, organization, member, name, createdAt, expiresAt, issuer]: TokenRow): Token {
  return {
    id,
    organization,
    member: member ?? undefined,
    name,
    createdAt,
    expiresAt: expiresAt ?? undefined,
    issuer: issuer ?? undefined,
  };
}

function organizationOf(current: RevisionRow, history: number): Organization {
  return { current: revisionOf(current, history), earliest: current[7] };
}
