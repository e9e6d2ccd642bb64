/** What a list of the explorer is narrowed to. */
import type { Rule } from "../../../domain/ladder.ts";
import { rank, type Role, ROLES } from "../../../domain/role.ts";

/** Reasons as reviewers group them: an organization admin's is the organization's too. */
export const REASONS = ["organization", "direct", "team", "default"] as const;
export type ReasonGroup = (typeof REASONS)[number];

export interface Filter {
  /** A name, an e-mail address or a title, as the search finds it; `""` for all. */
  readonly q: string;
  /** Exactly this role, and at least this one. */
  readonly role?: Role;
  readonly least?: Role;
  /** What gives the role; none for every reason. */
  readonly reasons: readonly ReasonGroup[];
  /** The team that gives the role. */
  readonly through?: string;
  readonly guests?: Presence;
  readonly deleted?: Presence;
  readonly sort?: Sort;
}

/** Nothing but these, or everything but these. */
export type Presence = "only" | "none";
export type Sort = "strongest" | "id";

/** The group that a rule's reasons belong to. */
export function groupOf(rule: Rule): ReasonGroup {
  return rule === "admin" ? "organization" : rule;
}

/** The roles that a filter keeps, the strongest first. */
export function rolesOf({ role, least }: Filter): Role[] {
  const lowest = least === undefined ? 0 : rank(least);
  return ROLES.toReversed().filter((each) => rank(each) >= lowest && (role === undefined || each === role));
}

/** Whether a filter keeps less than everything, sorted as by default. */
export function isNarrow({ q, role, least, reasons, through, guests, deleted }: Filter): boolean {
  return q !== "" || reasons.length > 0 || [role, least, through, guests, deleted].some(Boolean);
}
