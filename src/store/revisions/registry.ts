import { type Engine, statement } from "../engine/engine.ts";
import type { Organization } from "./organization.ts";
import { Past } from "./past.ts";
import { REVISION_COLUMNS, type RevisionRow, revisionOf } from "./row.ts";

/** Whom a token speaks for (contract, section 7). */
export interface Token {
  readonly id: string;
  readonly organization: string;
  /** The member it acts as; absent for an organization token. */
  readonly member: string | undefined;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
}

/** A token as it was looked up. */
export interface FoundToken {
  readonly token: Token;
  /** The engine's version when it was looked up: see {@link Registry.isUnchanged}. */
  readonly version: number;
}

/** An organization as it was looked up. */
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
];

export const TOKEN_COLUMNS = "id, organization, member, name, created_at, expires_at";

const TOKEN = statement<TokenRow>(() => `SELECT ${TOKEN_COLUMNS} FROM token WHERE hash = $1`);

const CURRENT = statement<RevisionRow>(() => currentOf("$1"));
const CURRENT_OF_TOKEN = statement<RevisionRow>(() =>
  currentOf("(SELECT organization FROM token WHERE hash = $1)"),
);

function currentOf(organization: string): string {
  return `
    SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.revision = o.revision
      WHERE o.id = ${organization}`;
}

/**
 * The few things that must be fresh at each request: tokens, and which revision is current. They are kept in memory
 * until the engine says that their organization has changed.
 */
export class Registry {
  /** Revisions that were replaced. */
  readonly past: Past;
  readonly #engine: Engine;
  readonly #tokens = new Map<string, FoundToken>();
  readonly #organizations = new Map<string, FoundOrganization>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.past = new Past(engine);
  }

  /** The token with this SHA-256 (hexadecimal). Whether it has expired is for the caller to see. */
  async token(hash: string): Promise<FoundToken | undefined> {
    const version = await this.#version();
    const known = this.#tokens.get(hash);
    if (known !== undefined && this.#holds(known.token.organization, known.version)) return known;
    const { history } = this.#engine;
    // Read together, because a caller that looks up a token then looks up its organization.
    const [[row], [current]] = await Promise.all([
      this.#engine.readFresh(TOKEN, hash),
      this.#engine.readFresh(CURRENT_OF_TOKEN, hash),
    ]);
    if (row === undefined) {
      this.#tokens.delete(hash);
      return undefined;
    }
    const token = tokenOf(row);
    const found = { token, version };
    this.#tokens.set(hash, found);
    if (current !== undefined) this.#keep(token.organization, organizationOf(current, history), version);
    return found;
  }

  async organization(id: string): Promise<Organization | undefined> {
    const version = await this.#version();
    const { history } = this.#engine;
    const known = this.#remembered(id);
    if (known !== undefined) return known;
    const [current] = await this.#engine.readFresh(CURRENT, id);
    if (current === undefined) {
      this.#organizations.delete(id);
      return undefined;
    }
    const organization = organizationOf(current, history);
    this.#keep(id, organization, version);
    return organization;
  }

  /**
   * The organization as it was when a token of it was last looked up: for a request whose token has just been, which
   * need not look again.
   */
  async organizationOf(token: Token): Promise<Organization | undefined> {
    return this.#remembered(token.organization) ?? this.organization(token.organization);
  }

  /**
   * Whether neither the organization nor a token of it has changed since a version of the engine: what was worked out
   * from them then holds. False where it takes a wait to know.
   */
  isUnchanged(organization: string, since: number): boolean {
    const version = this.#engine.version();
    if (typeof version === "number") return this.#holds(organization, since);
    // The error reaches the callers that await the version.
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

  #keep(id: string, organization: Organization, version: number): void {
    // Who looked later may have come first.
    if ((this.#organizations.get(id)?.version ?? -1) <= version) {
      this.#organizations.set(id, { organization, version });
    }
  }
}

export function tokenOf([id, organization, member, name, createdAt, expiresAt]: TokenRow): Token {
  return {
    id,
    organization,
    member: member ?? undefined,
    name,
    createdAt,
    expiresAt: expiresAt ?? undefined,
  };
}

function organizationOf(current: RevisionRow, history: number): Organization {
  return { current: revisionOf(current, history), earliest: current[7] };
}
