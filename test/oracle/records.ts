/** The ten kinds of snapshot record as plain JSON objects (docs/snapshot.md). */

export const ROLES = ["read", "comment", "edit", "review", "create", "admin"] as const;
/** A role. `ROLES` has them in order, weakest first (docs/permissions.md). */
export type Role = (typeof ROLES)[number];

/** An absent `defaultLevel` means `inherit`. */
export type DefaultLevel = Role | "inherit" | null;

export interface OrganizationRecord {
  object: "organization";
  id: string;
  title: string;
}

export interface UserRecord {
  object: "user";
  id: string;
  displayName: string;
  email?: string;
  photoURL?: string;
  urls?: { location?: string };
}

export interface MemberRecord {
  object: "member";
  organization: string;
  user: string;
  /** `null` makes the member a guest. */
  role: Role | null;
}

export interface TeamRecord {
  object: "team";
  id: string;
  organization: string;
  title: string;
  createdAt: string;
}

export interface TeamMemberRecord {
  object: "teamMember";
  team: string;
  user: string;
  role: "owner" | "member";
}

export interface CollectionRecord {
  object: "collection";
  id: string;
  organization: string;
  title: string;
  parent?: string;
  defaultLevel?: DefaultLevel;
}

export type Visibility = "public" | "unlisted" | "share-link" | "visitor-auth" | "in-collection" | "private";

export interface GitSync {
  repoName?: string;
  installationProvider?: "github" | "gitlab" | "github-legacy";
  integration?: string;
  url?: string;
  updatedAt?: string;
}

export interface SpaceRecord {
  object: "space";
  id: string;
  organization: string;
  title: string;
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  emoji?: string;
  visibility?: Visibility;
  editMode?: "live" | "locked";
  urls?: { location?: string; app?: string; published?: string; public?: string; icon?: string };
  parent?: string;
  gitSync?: GitSync;
  visitorAuth?: { backend: "custom" | "integration" };
  revision?: string;
  defaultLevel?: DefaultLevel;
  comments?: number;
  changeRequests?: number;
  changeRequestsOpen?: number;
  changeRequestsDraft?: number;
}

export interface SiteRecord {
  object: "site";
  id: string;
  organization: string;
  title: string;
  defaultLevel?: DefaultLevel;
}

export interface SiteSpaceRecord {
  object: "siteSpace";
  site: string;
  space: string;
}

type On =
  | { space: string; collection?: never; site?: never }
  | { collection: string; space?: never; site?: never };
type To = { user: string; team?: never } | { team: string; user?: never };

/** A permission has exactly one content, or one site, and exactly one grantee. */
export type ContentPermission = { object: "permission"; permission: Role } & On & To;
/** `null` is no access. */
export type SitePermission = {
  object: "permission";
  permission: Role | null;
  site: string;
  space?: never;
  collection?: never;
} & To;
export type PermissionRecord = ContentPermission | SitePermission;

export type SnapshotRecord =
  | OrganizationRecord
  | UserRecord
  | MemberRecord
  | TeamRecord
  | TeamMemberRecord
  | CollectionRecord
  | SpaceRecord
  | SiteRecord
  | SiteSpaceRecord
  | PermissionRecord;

/** Writes records as a snapshot file: NDJSON, one record per line, in the given order. */
export function toLines(records: readonly SnapshotRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
