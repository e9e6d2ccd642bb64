import { organizationIds } from "../oracle/facts.ts";
import { type Listing, type Oracle, oracle } from "../oracle/oracle.ts";
import type { SnapshotRecord } from "../oracle/records.ts";

/** The state of an organization after an import. */
export interface State {
  readonly organization: string;
  readonly records: readonly SnapshotRecord[];
  readonly oracle: Oracle;
  readonly members: ReadonlySet<string>;
  readonly listings: readonly Listing[];
}

/** The holder of a token, and the token's life. */
export interface Holder {
  readonly token: string;
  readonly id: string;
  readonly organization: string;
  readonly member: string | undefined;
  /** In milliseconds since 1970; `undefined` if the token does not expire. */
  readonly expiresAt: number | undefined;
  /** When the revocation of the token began and was done; absent before. */
  gone?: { readonly begun: number; done: number };
}

/** A span on the clock of the history, of a request or of a state. */
export interface Span {
  readonly from: number;
  to: number;
}

/**
 * The history of some organizations, by which answers are judged. During a change, both the old and the new state are
 * allowed; before and after, only one.
 */
export class History {
  #now = 0;
  readonly #states = new Map<string, { readonly span: Span; readonly state: State | undefined }[]>();
  readonly holders: Holder[] = [];
  readonly publicUrl: string;

  constructor(publicUrl: string) {
    this.publicUrl = publicUrl;
  }

  get now(): number {
    return this.#now;
  }

  get organizations(): string[] {
    return [...this.#states.keys()];
  }

  /** Runs a change of an organization to `records`, or its removal. Tokens of removed members end. */
  async change(
    organization: string,
    records: readonly SnapshotRecord[] | undefined,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const begun = ++this.#now;
    const next = {
      span: { from: begun, to: Number.POSITIVE_INFINITY },
      state: this.#stateOf(organization, records),
    };
    const states = this.#states.get(organization) ?? [];
    const last = states.at(-1);
    this.#states.set(organization, [...states, next]);
    const dying = this.holders.filter(
      (holder) =>
        holder.organization === organization &&
        (next.state === undefined || (holder.member !== undefined && !next.state.members.has(holder.member))),
    );
    await this.#dying(dying, begun, work);
    if (last !== undefined) last.span.to = this.#now;
  }

  /** Runs the revocation of a token. */
  async revoke(holder: Holder, work: () => Promise<unknown>): Promise<void> {
    await this.#dying([holder], ++this.#now, work);
  }

  async #dying(holders: readonly Holder[], begun: number, work: () => Promise<unknown>): Promise<void> {
    const fresh = holders.filter((holder) => holder.gone === undefined);
    for (const holder of fresh) holder.gone = { begun, done: Number.POSITIVE_INFINITY };
    await work();
    this.#now++;
    for (const { gone } of fresh) if (gone !== undefined) gone.done = this.#now;
  }

  #stateOf(organization: string, records: readonly SnapshotRecord[] | undefined): State | undefined {
    if (records === undefined) return undefined;
    if (!organizationIds(records).includes(organization)) throw new Error(`no record of ${organization}`);
    const asked = oracle(records, { publicUrl: this.publicUrl });
    return {
      organization,
      records,
      oracle: asked,
      members: new Set(
        records.flatMap((each) =>
          each.object === "member" && each.organization === organization ? each.user : [],
        ),
      ),
      listings: [...asked.listings(organization), ...asked.absent(organization)],
    };
  }

  /** The latest state of an organization; `undefined` if it does not exist. */
  current(organization: string): State | undefined {
    return this.#states.get(organization)?.at(-1)?.state;
  }

  /** The possible states of an organization during a request. */
  during(organization: string, request: Span): (State | undefined)[] {
    const states = this.#states.get(organization) ?? [];
    const found = states.filter(({ span }) => span.from <= request.to && span.to >= request.from);
    return found.map(({ state }) => state);
  }

  /** Whether a token may have been valid, and may have been invalid, during a request. */
  validity({ gone, expiresAt }: Holder, request: Span, clock: Span): { good: boolean; dead: boolean } {
    const expired = expiresAt !== undefined && expiresAt <= clock.from;
    const expiring = expiresAt !== undefined && expiresAt <= clock.to;
    const taken = gone !== undefined && gone.done <= request.from;
    const beingTaken = gone !== undefined && gone.begun <= request.to;
    return { good: !expired && !taken, dead: expiring || beingTaken };
  }
}
