/** Names of sets in table `container`: those of one content or team lie together. */
import type { ContentKey } from "../../domain/content.ts";
import { isRole, type Role } from "../../domain/role.ts";

/** What a set holds positions of. */
export const MEMBERS = 0;
export const SPACES = 1;
export type Universe = typeof MEMBERS | typeof SPACES;

/** Sets of members. */
export const memberSets = {
  withRole: (role: Role | null) => `role/${role ?? "guest"}`,
  ofTeam: (team: string) => `team/${team}/`,
  given: (content: ContentKey, role: Role) => `direct/${content}/${role}`,
} as const;

/** Which team or direct permission a set of members is of; `undefined` for the others. */
export function readMemberSet(
  name: string,
): { team: string; content?: never } | { team?: never; content: string; role: Role } | undefined {
  if (name.startsWith("team/")) return { team: name.slice("team/".length, -1) };
  if (!name.startsWith("direct/")) return undefined;
  const slash = name.lastIndexOf("/");
  const role = name.slice(slash + 1);
  return isRole(role) ? { content: name.slice("direct/".length, slash), role } : undefined;
}

/** What ends the climb of a space (contract, section 3): a role, a closed level, or nothing up to the organization. */
export type ClimbEnd = Role | "closed" | "organization";

/** Sets of spaces. */
export const spaceSets = {
  /** Those on which a team was given a role, on the very space. */
  givenToTeam: (team: string, role: Role) => `team/${team}/${role}`,
  /** The same of a user who was given very many. */
  givenToUser: (user: string, role: Role) => `user/${user}/${role}`,
  /** Those that inherit from a collection without a break. */
  under: (collection: string) => `under/${collection}/`,
  /** Every space is in one of these. */
  ending: (end: ClimbEnd) => `end/${end}`,
} as const;

/** Of who was given more spaces than this, these are kept as sets too: a page must not read thousands of rows. */
export const MOST_GRANTS = 256;
