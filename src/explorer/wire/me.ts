/** GET /explorer/me: whose token this is, and what it opens. Any valid token; of the current revision unless `at` says otherwise. */
import type { Titled } from "../../domain/explanation/reason.ts";
import type { Role } from "../../domain/role.ts";
import type { Revision, Stamp } from "./answer.ts";

export interface Me extends Stamp {
  readonly organization: Titled;
  readonly caller: Caller;
  /** Of the token, as `rolebook token list` has it. */
  readonly tokenId: string;
  /** When an import last said what the organization is, whether it changed anything or not (ISO 8601, UTC). */
  readonly confirmedAt: string;
  /** The earliest revision that can be read. */
  readonly earliest: Revision;
  /** For callers who see everything: an organization token or an organization admin. */
  readonly totals?: Totals;
  /** The address that clients use, without `/v1`. */
  readonly publicUrl: string;
  /** Of the program. */
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
