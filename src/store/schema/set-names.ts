/** Names of sets in table `container`. The sets of one content or team are stored together. */
import type { ContentKey } from "../../domain/content.ts";
import { isRole, type Role, ROLES } from "../../domain/role.ts";

/** What the positions of a set refer to. */
export const MEMBERS = 0;
export const SPACES = 1;
export type Universe = typeof MEMBERS | typeof SPACES;

/** Sets of members. */
export const memberSets = {
  withRole: (role: Role | null) => `role/${role ?? "guest"}`,
  ofTeam: (team: string) => `team/${team}/`,
  given: (content: ContentKey, role: Role) => `direct/${content}/${role}`,
} as const;

/** The team or direct permission that a set of members belongs to; `undefined` for other sets. */
export function readMemberSet(
  name: string,
): { team: string; content?: never } | { team?: never; content: string; role: Role } | undefined {
  if (name.startsWith("team/")) return { team: name.slice("team/".length, -1) };
  if (!name.startsWith("direct/")) return undefined;
  const slash = name.lastIndexOf("/");
  const role = name.slice(slash + 1);
  return isRole(role) ? { content: name.slice("direct/".length, slash), role } : undefined;
}

/** Whether a set is that of a team: of its members, or of spaces that it was given. */
export function isTeamSet(name: string): boolean {
  return name.startsWith("team/");
}

/** What ends the climb from a space (contract, section 3): a role, a closed level, or the organization. */
export const CLIMB_ENDS = [...ROLES, "organization", "closed"] as const;
export type ClimbEnd = (typeof CLIMB_ENDS)[number];

/** Sets of spaces. */
export const spaceSets = {
  /** The spaces on which a team has a permission with a role, on the space itself. */
  givenToTeam: (team: string, role: Role) => `team/${team}/${role}`,
  /** The same for a user with very many permissions. */
  givenToUser: (user: string, role: Role) => `user/${user}/${role}`,
  /** The spaces that inherit from a collection. */
  under: (collection: string) => `under/${collection}/`,
  /** Every space is in exactly one of these. */
  ending: (end: ClimbEnd) => `end/${end}`,
} as const;

/**
 * Kept of both universes, of the past alone: in each chunk the slot that was given next. Slots are given in turn, so those
 * from there on came later.
 */
export const NEXT_SLOT = "next";

/**
 * A user with more direct permissions than this has sets of spaces too, so that a page does not read thousands of
 * rows.
 */
export const MOST_GRANTS = 256;
