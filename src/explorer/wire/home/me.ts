/**
 * GET /explorer/me: the owner of the token, and what the token allows. Any valid token. Describes the current revision
 * unless `at` is given.
 */
import type { Titled } from "../../../domain/reason.ts";
import type { Role } from "../../../domain/role.ts";
import type { Revision, Stamp } from "../answer.ts";

export interface Me extends Stamp {
  readonly organization: Titled;
  readonly caller: Caller;
  /** The token's id in `rolebook token list`. */
  readonly tokenId: string;
  /** The time of the last import, whether or not it changed anything (ISO 8601, UTC). */
  readonly confirmedAt: string;
  readonly earliest: Revision;
  /** Only for callers who see everything. */
  readonly totals?: Totals;
  /** The base URL that clients use, without `/v1`. */
  readonly publicUrl: string;
  readonly version: string;
}

export type Caller =
  | { readonly kind: "organization" }
  | {
      readonly kind: "member";
      readonly id: string;
      readonly displayName: string;
      readonly role: Role | null;
    };

export interface Totals {
  readonly members: number;
  readonly teams: number;
  readonly spaces: number;
  readonly collections: number;
  readonly sites: number;
  readonly permissions: number;
}
