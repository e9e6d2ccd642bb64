import type { ContentRef, Titled } from "../../domain/explanation/reason.ts";
import type { Role } from "../../domain/role.ts";
import type { Person } from "../../domain/explanation/why.ts";

/** The kinds of findings, with their descriptions. */
export const FINDINGS = {
  redundant: "permission that changes nothing",
  "redundant-alone": "permission that changes nothing alone",
  "less-than-team": "permission that gives less than a team",
  deleted: "permission on a deleted space",
  "empty-team": "team without members",
  "no-access": "member without access",
  unreached: "content that only admins reach",
} as const;

export type FindingKind = keyof typeof FINDINGS;

/** Something to tidy up. A finding about a permission has a content, a user or a team, and a role. */
export interface Finding {
  readonly kind: FindingKind;
  readonly content?: ContentRef;
  readonly user?: Person;
  readonly team?: Titled;
  readonly role?: Role;
  readonly reason: string;
}
