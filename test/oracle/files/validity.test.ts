import { describe, expect, test } from "vitest";

import type { SnapshotRecord } from "../records.ts";
import { violations } from "./validity.ts";

describe("the check of validity", () => {
  const organization: SnapshotRecord = { object: "organization", id: "o", title: "o" };
  const other: SnapshotRecord = { object: "organization", id: "p", title: "p" };
  const user: SnapshotRecord = { object: "user", id: "u", displayName: "u" };
  const member: SnapshotRecord = { object: "member", organization: "o", user: "u", role: null };
  const team: SnapshotRecord = {
    object: "team",
    id: "t",
    organization: "o",
    title: "t",
    createdAt: "2025-03-01T09:30:00Z",
  };
  const collection: SnapshotRecord = { object: "collection", id: "c", organization: "o", title: "c" };
  const site: SnapshotRecord = { object: "site", id: "w", organization: "o", title: "w" };
  const space: SnapshotRecord = {
    object: "space",
    id: "s",
    organization: "o",
    title: "s",
    createdAt: "2025-03-01T09:30:00Z",
    updatedAt: "2025-03-01T09:30:00Z",
  };
  const valid = [organization, other, user, user, member, team, collection, site, space];

  test("accepts a valid import", () => {
    expect(violations(valid)).toStrictEqual([]);
  });

  test.each<[string, SnapshotRecord[]]>([
    ["a repeated space", [space]],
    ["a user described in two ways", [{ ...user, displayName: "v" }]],
    ["a repeated member", [{ ...member, role: "read" }]],
    ["an unknown organization", [{ ...member, organization: "q" }]],
    ["a member without a user", [{ ...member, user: "v" }]],
    ["a team member who is no member", [{ object: "teamMember", team: "t", user: "v", role: "owner" }]],
    ["a parent in another organization", [{ ...collection, id: "d", organization: "p", parent: "c" }]],
    ["a missing parent", [{ ...space, id: "x", parent: "s" }]],
    [
      "a cycle",
      [
        { ...collection, id: "d", parent: "e" },
        { ...collection, id: "e", parent: "d" },
      ],
    ],
    ["an unknown space of a site", [{ object: "siteSpace", site: "w", space: "c" }]],
    ["a permission on nothing", [{ object: "permission", collection: "s", user: "u", permission: "read" }]],
    ["a permission to nobody", [{ object: "permission", space: "s", team: "u", permission: "read" }]],
    ["a bad id", [{ ...team, id: "a b" }]],
    ["a bad user id", [{ ...user, id: ".." }]],
    ["a bad date", [{ ...space, id: "x", createdAt: "2025-03-01" }]],
    ["a bad count", [{ ...space, id: "x", comments: -1 }]],
    ["a bad URL", [{ ...space, id: "x", urls: { icon: "/icon" } }]],
    ["bad text", [{ ...site, id: "x", title: "\uD83D" }]],
  ])("finds %s", (_, added) => {
    expect(violations([...valid, ...added])).not.toStrictEqual([]);
  });
});
