/** The filters of the explorer's lists. */
import type { Rule } from "../../../domain/ladder.ts";
import { rank, type Role, ROLES } from "../../../domain/role.ts";

/** Groups of reasons. `organization` includes the access of organization admins. */
export const REASONS = ["organization", "direct", "team", "default"] as const;
export type ReasonGroup = (typeof REASONS)[number];

export interface Filter {
  /** Matches a name, e-mail address or title like the search; `""` matches everything. */
  readonly q: string;
  /** `role`: exactly this role; `least`: this role or a stronger one. */
  readonly role?: Role;
  readonly least?: Role;
  /** The reasons for the role; empty for every reason. */
  readonly reasons: readonly ReasonGroup[];
  /** The team whose permission gives the role. */
  readonly through?: string;
  readonly guests?: Presence;
  readonly deleted?: Presence;
  /** Only rows that had no role before this time (ISO 8601, UTC). */
  readonly since?: string;
  readonly sort?: Sort;
}

/** For guests or deleted spaces: the list has only them, or none of them. */
export type Presence = "only" | "none";
export type Sort = "strongest" | "id";

/** The group of a rule's reasons. */
export function groupOf(rule: Rule): ReasonGroup {
  return rule === "admin" ? "organization" : rule;
}

/** The roles that pass a filter, strongest first. */
export function rolesOf({ role, least }: Filter): Role[] {
  const lowest = least === undefined ? 0 : rank(least);
  return ROLES.toReversed().filter((each) => rank(each) >= lowest && (role === undefined || each === role));
}

/** Whether a filter excludes anything or sorts differently from the default. */
export function isNarrow({ q, role, least, reasons, through, guests, deleted, since }: Filter): boolean {
  return q !== "" || reasons.length > 0 || [role, least, through, guests, deleted, since].some(Boolean);
}
