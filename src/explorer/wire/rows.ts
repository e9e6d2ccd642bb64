import type { Reason } from "../../domain/reason.ts";
import type { Person } from "../../domain/why.ts";
import type { Role } from "../../domain/role.ts";
import type { ContentNode, SpaceNode, TeamNode } from "./subjects.ts";

/**
 * A user with a role. With `tab=people`, the role is that of the direct permission, and the reason "direct permission
 * here".
 */
export interface AccessRow {
  readonly user: Person;
  readonly role: Role;
  readonly reason: Reason;
}

export interface TeamRow {
  readonly team: TeamNode;
  /**
   * On a content: the role of the team's permission. In a member's teams: `owner` or `member`. Absent in `list=teams`.
   */
  readonly role?: Role | TeamRole;
}
export type TeamRole = "owner" | "member";

/** `path` has the titles of the collections above the space, topmost first. */
export interface SpaceRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
}

/** A space to which a member has access. */
export interface ReachRow extends SpaceRow {
  readonly role: Role;
  readonly createdAt: string;
  readonly deletedAt?: string;
  readonly reason: Reason;
}

/** A content on which a team has a permission. */
export interface GivenRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
  readonly role: Role;
}

export interface TeamMemberRow {
  readonly user: Person;
  readonly role: TeamRole;
}

export interface ContentRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
}

/** `role` is the organization role, `null` for a guest. */
export interface MemberRow {
  readonly user: Person;
  readonly role: Role | null;
}
