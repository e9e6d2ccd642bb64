/** The lists of GET /explorer/access and GET /explorer/csv: what their rows have. See protocol.ts. */
import type { Effect } from "../../domain/difference.ts";
import type { ContentRef, Phrase, Reason, Titled } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import type { ContentNode, SpaceNode, TeamNode } from "./protocol.ts";

export type Tab = "everyone" | "people" | "teams" | "contents" | "spaces" | "permissions" | "members";

/** A role, and what gives it. */
export interface Held {
  readonly role: Role;
  readonly reason: Reason;
}

/**
 * A user with a role. With `tab=people`, the role is that of the direct permission, and the reason "direct permission
 * here".
 */
export interface AccessRow extends Held {
  readonly user: Person;
}

export interface TeamRow {
  readonly team: TeamNode;
  /**
   * On a content: the role of the team's permission. In a member's teams: `owner` or `member`. Absent in `list=teams`.
   */
  readonly role?: Role | TeamRole;
}
export type TeamRole = "owner" | "member";

export interface TeamMemberRow {
  readonly user: Person;
  readonly role: TeamRole;
}

/** `role` is the organization role, `null` for a guest. */
export interface MemberRow {
  readonly user: Person;
  readonly role: Role | null;
}

/** `path` has the titles of the collections above the content, topmost first. */
export interface ContentRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
}

/** A content on which a team has a permission. */
export interface GivenRow extends ContentRow {
  readonly role: Role;
}

export interface SpaceRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
}

/** A space to which a member has access. */
export interface ReachRow extends SpaceRow, Held {
  readonly createdAt: string;
  readonly deletedAt?: string;
}

/** A subject that a search finds. */
export type Hit =
  | (Titled & {
      readonly kind: "space";
      readonly emoji?: string;
      readonly deletedAt?: string;
      /** The titles of its ancestors, topmost first. */
      readonly path: readonly string[];
    })
  | (Titled & { readonly kind: "collection"; readonly path: readonly string[] })
  | (Titled & { readonly kind: "site"; readonly spaces: number })
  | (Titled & { readonly kind: "team"; readonly members: number })
  | (Person & {
      readonly kind: "member";
      /**
       * The effective role on the content or site of a search, `null` for none; absent if the request names neither.
       */
      readonly role?: Role | null;
    });

export type Direction = keyof Effect;

/** A user whose role differs without a source of access; `null` is no access. */
export interface WithoutRow {
  readonly user: Person;
  readonly direction: Direction;
  readonly before: Held | null;
  readonly after: Held | null;
}

/** One of the users whose role differs, and the content on which it does. */
export interface PairRow extends WithoutRow, ContentRow {}

export interface ConcernedRow extends ContentRow {
  /** Only in CSV files. The page requests the counts of the rows on the screen separately. */
  readonly counts?: Effect;
}

/** A space to which a team gives its members access. `role` and `reason` are those of the permission that decides. */
export interface OpenedRow extends SpaceRow, Held {}

/** A space with the roles of two people, or of one person and a fixed role; `null` is no access. */
export interface CompareRow extends SpaceRow {
  readonly differs: boolean;
  readonly one: Held | null;
  readonly other?: Held | null;
}

/** A user whose role on a content differs between two revisions. */
export interface ChangedRow {
  readonly content: ContentRef;
  readonly path: readonly string[];
  readonly user: Person;
  readonly direction: Direction;
  readonly before: HeldThen | null;
  readonly after: HeldThen | null;
  /** For example "gained edit, because team Docs was given edit on collection Handbook in revision 41". */
  readonly sentence: Phrase;
}

/** A role, with its reason for callers who see everything. */
export interface HeldThen {
  readonly role: Role;
  readonly because?: string;
}

export interface ChangedThing {
  /** A person who joined, left or has another organization role, with the number of contents. */
  readonly user?: Person;
  readonly contents?: number;
  /** A content on which the roles of people without such a change differ. */
  readonly content?: ContentRef;
  readonly path?: readonly string[];
  readonly effect?: Effect;
  readonly what: readonly Phrase[];
  readonly more: number;
}
