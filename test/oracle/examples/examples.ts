import { type Listing, oracle } from "../oracle.ts";
import type { DefaultLevel, PermissionRecord, Role, SnapshotRecord } from "../records.ts";

/** Records for hand-written examples, and short queries of the oracle. */

/** The public URL in the answers. */
export const publicUrl = "https://roles.example";
/** The dates of all records, and the form in which answers send `createdAt`. */
export const createdAt = "2025-03-01T09:30:00Z";
export const updatedAt = "2025-03-02T09:30:00Z";
export const wireDate = "2025-03-01T09:30:00.000Z";

/** An organization. All records of the other functions belong to `o`. */
export const organization = (id = "o"): SnapshotRecord => ({ object: "organization", id, title: id });

/** A user with the name `The {id}`, and the user's membership. */
export const member = (id: string, role: Role | null): SnapshotRecord[] => [
  { object: "user", id, displayName: `The ${id}` },
  { object: "member", organization: "o", user: id, role },
];

export const team = (id: string, users: string[], title = id): SnapshotRecord[] => [
  { object: "team", id, organization: "o", title, createdAt },
  ...users.map((user): SnapshotRecord => ({ object: "teamMember", team: id, user, role: "member" })),
];

/** The parent and default level of a content. */
export interface Place {
  parent?: string;
  defaultLevel?: DefaultLevel;
}

export const collection = (id: string, place: Place = {}): SnapshotRecord => ({
  object: "collection",
  id,
  organization: "o",
  title: id,
  ...place,
});

export const space = (id: string, place: Place = {}, created = createdAt): SnapshotRecord => ({
  object: "space",
  id,
  organization: "o",
  title: id,
  createdAt: created,
  updatedAt,
  ...place,
});

export const site = (id: string, spaces: string[]): SnapshotRecord[] => [
  { object: "site", id, organization: "o", title: id },
  ...spaces.map((name): SnapshotRecord => ({ object: "siteSpace", site: id, space: name })),
];

export type Grantee = { user: string } | { team: string };

export const onSpace = (id: string, to: Grantee, permission: Role): PermissionRecord => ({
  object: "permission",
  space: id,
  ...to,
  permission,
});

export const onCollection = (id: string, to: Grantee, permission: Role): PermissionRecord => ({
  object: "permission",
  collection: id,
  ...to,
  permission,
});

/** The oracle's answer to one listing in `o`. */
export const list = (records: SnapshotRecord[], listing: Listing) =>
  oracle(records, { publicUrl }).list("o", listing);

/** The ids of a list's users, spaces or teams, in order. */
export const ids = (records: SnapshotRecord[], listing: Listing) =>
  list(records, listing).map((item) => {
    if ("organization" in item && typeof item.organization === "object") return item.organization.id;
    if ("user" in item) return item.user.id;
    if ("space" in item) return item.space.id;
    return "member" in item ? item.team.id : "id" in item ? item.id : "";
  });
