/** Names of sets. Names of the same content or team have the same prefix, so that their sets are stored together. */
import { limit } from "../../sets/limit.ts";
import type { ContentKey } from "../../domain/content.ts";
import { type Role, ROLES } from "../../domain/role.ts";

/** A universe: whether the positions in a set are those of members or of spaces. */
export const MEMBERS = 0;
export const SPACES = 1;
export type Universe = typeof MEMBERS | typeof SPACES;

export const memberSets = {
  withRole: (role: Role | null) => `role/${role ?? "guest"}`,
  ofTeam: (team: string) => `team/${team}/`,
  given: (content: ContentKey, role: Role) => `direct/${content}/${role}`,
} as const;

/**
 * The column of table `content` with the head of {@link memberSets.given}: it is read with the content. Containers by
 * chunk are in table `container`, like those of all sets.
 */
export const headColumn = (role: Role) => `direct_${role}`;

/** The content and the role of a set that {@link memberSets.given} names; `undefined` for other sets. */
export function givenIn(name: string): { readonly content: string; readonly role: Role } | undefined {
  if (!name.startsWith("direct/")) return undefined;
  const cut = name.lastIndexOf("/");
  const role = ROLES.find((each) => each === name.slice(cut + 1));
  return role && { content: name.slice("direct/".length, cut), role };
}

/**
 * What decides on a space for a member without any permission on its ladder (docs/permissions.md): a default level that
 * is a role or closed, or the member's organization role.
 */
export const CLIMB_ENDS = [...ROLES, "organization", "closed"] as const;
export type ClimbEnd = (typeof CLIMB_ENDS)[number];

export const spaceSets = {
  /** The spaces on which a team has a permission with a role. */
  givenToTeam: (team: string, role: Role) => `team/${team}/${role}`,
  /**
   * The spaces on which a user has a permission with a role. Only for users with more than {@link MOST_GRANTS} direct
   * permissions.
   */
  givenToUser: (user: string, role: Role) => `user/${user}/${role}`,
  /** The spaces that inherit from a collection, directly or through collections in between. */
  under: (collection: string) => `under/${collection}/`,
  /**
   * The spaces on which `end` decides for members without any permission. Every space is in exactly one of these sets.
   */
  ending: (end: ClimbEnd) => `end/${end}`,
} as const;

/**
 * The name under which a chunk stores the next free slot that it had at each revision. Slots are assigned in sequence,
 * so this slot and all slots after it belong to later revisions.
 */
export const NEXT_SLOT = "next";

/**
 * A user with more direct permissions than this also has sets of spaces, so that a page of their spaces does not read
 * thousands of rows.
 */
export const MOST_GRANTS = limit("grants.listed", 256);
