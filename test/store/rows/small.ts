import type { SnapshotRecord } from "../../oracle/records.ts";

const DATE = "2026-01-01T00:00:00.000Z";

/** An organization with one of each: Ben owns the team, and has a permission on the space and on the site; Ana is an admin. */
export const SMALL: readonly SnapshotRecord[] = [
  { object: "organization", id: "o", title: "o" },
  { object: "user", id: "ana", displayName: "Ana" },
  { object: "user", id: "ben", displayName: "Ben" },
  { object: "member", organization: "o", user: "ana", role: "admin" },
  { object: "member", organization: "o", user: "ben", role: null },
  { object: "team", id: "t", organization: "o", title: "T", createdAt: DATE },
  { object: "teamMember", team: "t", user: "ben", role: "owner" },
  { object: "collection", id: "c", organization: "o", title: "C" },
  { object: "space", id: "s", organization: "o", title: "S", createdAt: DATE, updatedAt: DATE, parent: "c" },
  { object: "permission", space: "s", user: "ben", permission: "edit" },
  { object: "permission", collection: "c", team: "t", permission: "read" },
  { object: "site", id: "w", organization: "o", title: "w", defaultLevel: null },
  { object: "permission", site: "w", user: "ben", permission: "edit" },
  { object: "permission", site: "w", team: "t", permission: null },
  { object: "siteSpace", site: "w", space: "s" },
];
