import { describe, expect, test } from "vitest";

import {
  collection,
  ids,
  list,
  member,
  onSpace,
  organization,
  publicUrl,
  space,
  wireDate,
} from "./examples.ts";
import type { SnapshotRecord } from "../records.ts";

describe("a member's spaces (7)", () => {
  const records = [
    organization(),
    ...member("U", "edit"),
    space("tie-a", {}, "2025-03-01T10:30:00.123+01:00"),
    space("tie-b", {}, "2025-03-01T09:30:00.1239Z"),
    space("old", {}, "2025-03-01T09:29:59.9999Z"),
    space("new", {}, "2025-03-01T00:00:00-12:00"),
    space("closed", { defaultLevel: null }),
  ];

  test("newest first by default; ties by id in the same direction; further digits are cut", () => {
    const newestFirst = ["new", "tie-b", "tie-a", "old"];
    expect(ids(records, { endpoint: 7, user: "U" })).toStrictEqual(newestFirst);
    expect(ids(records, { endpoint: 7, user: "U", order: "desc" })).toStrictEqual(newestFirst);
    expect(ids(records, { endpoint: 7, user: "U", order: "asc" })).toStrictEqual(newestFirst.toReversed());
  });

  test("fills in omitted fields", () => {
    const [item] = list([organization(), ...member("U", "create"), space("S")], { endpoint: 7, user: "U" });
    expect(item).toStrictEqual({
      permission: "create",
      space: {
        object: "space",
        id: "S",
        title: "S",
        emoji: "",
        visibility: "private",
        createdAt: wireDate,
        updatedAt: "2025-03-02T09:30:00.000Z",
        urls: { location: `${publicUrl}/v1/spaces/S`, app: `${publicUrl}/s/S` },
        organization: "o",
        revision: "",
        defaultLevel: "inherit",
        comments: 0,
        changeRequests: 0,
        changeRequestsOpen: 0,
        changeRequestsDraft: 0,
        permissions: { access: true, comment: true, edit: true, review: true, merge: true, admin: true },
      },
    });
  });

  test("sends the record's fields, dates in UTC, a deleted space like any other", () => {
    const full: SnapshotRecord = {
      object: "space",
      id: "S",
      organization: "o",
      title: "S",
      createdAt: "2025-03-01T15:00:00.5+05:30",
      updatedAt: "2025-03-01t09:30:00z",
      deletedAt: "2025-03-01T09:30:00.00099-00:00",
      emoji: "x",
      visibility: "in-collection",
      editMode: "locked",
      urls: { app: "https://a.example/1", icon: "https://a.example/2" },
      parent: "C",
      gitSync: { repoName: "r", installationProvider: "gitlab", updatedAt: "2025-03-01T10:30:00+01:00" },
      visitorAuth: { backend: "custom" },
      revision: "v",
      defaultLevel: null,
      comments: 1,
      changeRequests: 2,
      changeRequestsOpen: 3,
      changeRequestsDraft: 4,
    };
    const given = onSpace("S", { user: "U" }, "comment");
    const [item] = list([organization(), ...member("U", null), collection("C"), full, given], {
      endpoint: 7,
      user: "U",
    });
    expect(item).toStrictEqual({
      permission: "comment",
      space: {
        ...full,
        createdAt: "2025-03-01T09:30:00.500Z",
        updatedAt: wireDate,
        deletedAt: wireDate,
        urls: {
          location: `${publicUrl}/v1/spaces/S`,
          app: "https://a.example/1",
          icon: "https://a.example/2",
        },
        gitSync: { repoName: "r", installationProvider: "gitlab", updatedAt: wireDate },
        permissions: { access: true, comment: true, edit: false, review: false, merge: false, admin: false },
      },
    });
  });

  test.each([
    ["read", "access"],
    ["comment", "access comment"],
    ["edit", "access comment edit"],
    ["review", "access comment edit review merge"],
    ["create", "access comment edit review merge admin"],
    ["admin", "access comment edit review merge admin"],
  ] as const)("%s allows %s", (role, allowed) => {
    const [item] = list([organization(), ...member("U", role), space("S")], { endpoint: 7, user: "U" });
    if (item === undefined || !("space" in item)) throw new Error("one space is listed");
    const granted = Object.entries(item.space.permissions).flatMap(([name, may]) => (may ? name : []));
    expect(granted.sort()).toStrictEqual(allowed.split(" ").sort());
  });
});
