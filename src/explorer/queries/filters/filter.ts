import type { Rule } from "../../../domain/ladder.ts";
import { rank, type Role, ROLES } from "../../../domain/role.ts";
import { type Direction, DIRECTIONS } from "../../../domain/difference.ts";

/** Groups of reasons. `organization` includes the access of organization admins. */
export const REASONS = ["organization", "direct", "team", "default"] as const;
export type ReasonGroup = (typeof REASONS)[number];

export interface Filter {
  /** Matches names, e-mail addresses and titles as the search does; `""` matches everything. */
  readonly q: string;
  /** `role`: exactly this role; `least`: this role or a stronger one. */
  readonly role?: Role;
  readonly least?: Role;
  /** An empty list accepts every reason. */
  readonly reasons: readonly ReasonGroup[];
  /** Only roles from a permission of this team. */
  readonly through?: string;
  readonly guests?: Presence;
  readonly deleted?: Presence;
  /** Only rows that had no role at the last revision before this time (ISO 8601, UTC). */
  readonly since?: string;
  readonly sort?: Sort;
  /** For lists of differences: the directions of a difference; absent for all. */
  readonly changes?: readonly Direction[];
  /** For comparisons: only what differs, or only what is alike. */
  readonly differs?: Presence;
}

/** `only`: the list has only guests (or deleted spaces); `none`: it has none of them. */
export type Presence = "only" | "none";
export type Sort = "strongest" | "id";

export function groupOf(rule: Rule): ReasonGroup {
  return rule === "admin" ? "organization" : rule;
}

/** The roles that pass a filter, strongest first. */
export function rolesOf({ role, least }: Filter): Role[] {
  const lowest = least === undefined ? 0 : rank(least);
  return ROLES.toReversed().filter((each) => rank(each) >= lowest && (role === undefined || each === role));
}

/** The directions that a filter accepts, in list order. */
export function directionsOf({ changes }: Filter): Direction[] {
  return DIRECTIONS.filter((each) => changes?.includes(each) !== false);
}

/** Whether a filter can exclude rows. */
export function isNarrow({ q, reasons, ...others }: Filter): boolean {
  const { sort: _, ...narrowing } = others;
  return q !== "" || reasons.length > 0 || Object.values(narrowing).some((each) => each !== undefined);
}
