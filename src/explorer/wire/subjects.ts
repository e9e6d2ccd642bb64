/** Subjects that have a view. `kind` is also the name of the query parameter that has their id. */
import type { DefaultLevel } from "../../domain/content.ts";
import type { Titled } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";

export interface SpaceNode extends Titled {
  readonly kind: "space";
  /** As in `/v1`; absent when empty. */
  readonly emoji?: string;
  readonly visibility: string;
  readonly defaultLevel: DefaultLevel;
  /** The number of direct permissions and team grants on the space itself. */
  readonly given: number;
  readonly deletedAt?: string;
}

export interface CollectionNode extends Titled {
  readonly kind: "collection";
  readonly defaultLevel: DefaultLevel;
  readonly given: number;
  /** The number of its children that the caller sees. */
  readonly children: number;
}

export interface SiteNode extends Titled {
  readonly kind: "site";
  readonly spaces: number;
}

export interface MemberNode {
  readonly kind: "member";
  readonly id: string;
  readonly displayName: string;
  readonly email?: string;
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
}

export interface TeamNode extends Titled {
  readonly kind: "team";
  readonly createdAt: string;
  readonly members: number;
  /** As `team.spaces` in `/v1`. */
  readonly spaces: number;
}

export type ContentNode = SpaceNode | CollectionNode;
export type Subject = ContentNode | SiteNode | MemberNode | TeamNode;

/**
 * A query names exactly one subject. Ids are unique only per kind, so the name of the parameter is the kind and its
 * value the id.
 */
export type ContentQuery = { readonly space: string } | { readonly collection: string };
export type SubjectQuery =
  | ContentQuery
  | { readonly site: string }
  | { readonly member: string }
  | { readonly team: string };
