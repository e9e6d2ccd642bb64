import { type Engine, statement } from "../engine/engine.ts";
import type { Revision } from "../reading.ts";
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
  /** The registry's {@link Registry.epoch} then. */
  readonly epoch: number;
}

/** What readers of an organization see now, and how far back they can read. */
export interface Organization {
  readonly current: Revision;
  /** The number of the earliest revision that can be read. */
  readonly earliest: number;
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
 * and forgotten as soon as the engine says that something has changed.
 */
export class Registry {
  /** Revisions that were replaced. */
  readonly past: Past;
  readonly #engine: Engine;
  #version = -1;
  #history = -1;
  #epoch = 0;
  readonly #tokens = new Map<string, FoundToken>();
  readonly #organizations = new Map<string, Organization>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.past = new Past(engine);
  }

  /** The token with this SHA-256 (hexadecimal). Whether it has expired is for the caller to see. */
  async token(hash: string): Promise<FoundToken | undefined> {
    const version = await this.#refresh();
    const known = this.#tokens.get(hash);
    if (known !== undefined) return known;
    const epoch = this.#epoch;
    const { history } = this.#engine;
    // Asked together: whoever asks for a token goes on to ask for its organization.
    const [[row], [current]] = await Promise.all([
      this.#engine.readFresh(TOKEN, hash),
      this.#engine.readFresh(CURRENT_OF_TOKEN, hash),
    ]);
    if (row === undefined) return undefined;
    const token = tokenOf(row);
    const found = { token, epoch };
    if (version === this.#version) {
      this.#tokens.set(hash, found);
      if (current !== undefined) {
        this.#organizations.set(token.organization, organizationOf(current, history));
      }
    }
    return found;
  }

  async organization(id: string): Promise<Organization | undefined> {
    const version = await this.#refresh();
    const { history } = this.#engine;
    const known = this.#organizations.get(id);
    if (known !== undefined) return known;
    const [current] = await this.#engine.readFresh(CURRENT, id);
    if (current === undefined) return undefined;
    const organization = organizationOf(current, history);
    if (version === this.#version) this.#organizations.set(id, organization);
    return organization;
  }

  /**
   * The organization as it was when a token of it was last looked up: for a request whose token has just been, which
   * need not look again.
   */
  async organizationOf(token: Token): Promise<Organization | undefined> {
    return this.#organizations.get(token.organization) ?? this.organization(token.organization);
  }

  /**
   * How many changes of tokens and organizations were noticed: what is worked out from them holds while this number
   * stays. `undefined` where it takes a wait to know.
   */
  epoch(): number | undefined {
    const version = this.#engine.version();
    if (typeof version !== "number") {
      // Whoever waits for it hears why it cannot be had.
      version.catch(() => {});
      return undefined;
    }
    this.#notice(version);
    return this.#epoch;
  }

  async #refresh(): Promise<number> {
    const asked = this.#engine.version();
    const version = typeof asked === "number" ? asked : await asked;
    this.#notice(version);
    return version;
  }

  #notice(version: number): void {
    const { history } = this.#engine;
    if (version === this.#version && history === this.#history) return;
    this.#version = version;
    this.#history = history;
    this.#epoch++;
    this.#tokens.clear();
    this.#organizations.clear();
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
