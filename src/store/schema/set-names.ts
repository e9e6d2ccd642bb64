/** Names of sets in table `container`. The sets of one content or team are stored together. */
import type { ContentKey } from "../../domain/content.ts";
import { isRole, type Role, ROLES } from "../../domain/role.ts";

/** The universes: what the positions of a set refer to. */
export const MEMBERS = 0;
export const SPACES = 1;
export type Universe = typeof MEMBERS | typeof SPACES;

/** Sets of members. */
export const memberSets = {
  withRole: (role: Role | null) => `role/${role ?? "guest"}`,
  ofTeam: (team: string) => `team/${team}/`,
  given: (content: ContentKey, role: Role) => `direct/${content}/${role}`,
} as const;

/** The team or direct permission of a set of members; `undefined` for other sets. */
export function readMemberSet(
  name: string,
): { team: string; content?: never } | { team?: never; content: string; role: Role } | undefined {
  if (name.startsWith("team/")) return { team: name.slice("team/".length, -1) };
  if (!name.startsWith("direct/")) return undefined;
  const slash = name.lastIndexOf("/");
  const role = name.slice(slash + 1);
  return isRole(role) ? { content: name.slice("direct/".length, slash), role } : undefined;
}

/** Whether a set belongs to a team: its members, or the spaces on which it has a permission. */
export function isTeamSet(name: string): boolean {
  return name.startsWith("team/");
}

/** Whether a set of members has everybody with one organization role. */
export function isRoleSet(name: string): boolean {
  return name.startsWith("role/");
}

/**
 * What decides on a space for a member without a permission on the ladder (contract, section 3): a role, a closed
 * level, or the organization.
 */
export const CLIMB_ENDS = [...ROLES, "organization", "closed"] as const;
export type ClimbEnd = (typeof CLIMB_ENDS)[number];

/** Sets of spaces. */
export const spaceSets = {
  /** The spaces on which a team has a permission with a role. */
  givenToTeam: (team: string, role: Role) => `team/${team}/${role}`,
  /** The spaces on which a user has a permission with a role. Only of users with more than {@link MOST_GRANTS}. */
  givenToUser: (user: string, role: Role) => `user/${user}/${role}`,
  /** The spaces that inherit from a collection. */
  under: (collection: string) => `under/${collection}/`,
  /** The spaces on which `end` decides for members without a permission. Every space is in one of these sets. */
  ending: (end: ClimbEnd) => `end/${end}`,
} as const;

/**
 * Under this name, each chunk has its next free slot as of each revision. Slots are assigned in sequence, so slots from
 * the next free one on belong to later revisions.
 */
export const NEXT_SLOT = "next";

/**
 * A user with more direct permissions than this also has sets of spaces: a page then does not read thousands of rows.
 */
export const MOST_GRANTS = 256;
