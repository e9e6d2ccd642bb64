import { describe, expect, test } from "vitest";

import {
  collection,
  ids,
  list,
  member,
  onCollection,
  onSpace,
  organization,
  publicUrl,
  space,
  team,
  wireDate,
} from "./examples.ts";
import { ROLES } from "../records.ts";

const userOf = (id: string) => ({
  object: "user",
  id,
  displayName: `The ${id}`,
  urls: { location: `${publicUrl}/v1/users/${id}` },
});
const teamOf = (id: string, members: number) => ({
  object: "team",
  id,
  title: id,
  members,
  spaces: 1,
  createdAt: wireDate,
});

describe("permissions on a content (1, 2, 4, 5)", () => {
  const records = [
    organization(),
    ...member("a", "read"),
    ...member("B", null),
    ...team("t", ["a"]),
    ...team("T", []),
    collection("S"),
    collection("C"),
    space("S", { parent: "C" }),
    onSpace("S", { user: "a" }, "edit"),
    onSpace("S", { user: "B" }, "review"),
    onSpace("S", { team: "t" }, "read"),
    onCollection("C", { user: "a" }, "admin"),
    onCollection("C", { team: "T" }, "create"),
    onCollection("C", { team: "t" }, "comment"),
  ];
  test("list direct permissions only, by id", () => {
    expect(list(records, { endpoint: 1, space: "S" })).toStrictEqual([
      { permission: "review", user: userOf("B") },
      { permission: "edit", user: userOf("a") },
    ]);
    expect(list(records, { endpoint: 2, space: "S" })).toStrictEqual([
      { permission: "read", team: teamOf("t", 1) },
    ]);
    expect(list(records, { endpoint: 4, collection: "C" })).toStrictEqual([
      { permission: "create", team: teamOf("T", 0) },
      { permission: "comment", team: teamOf("t", 1) },
    ]);
    expect(list(records, { endpoint: 5, collection: "C" })).toStrictEqual([
      { permission: "admin", user: userOf("a") },
    ]);
  });

  test("a space and a collection of the same id are two contents", () => {
    expect(list(records, { endpoint: 5, collection: "S" })).toStrictEqual([]);
    expect(list(records, { endpoint: 4, collection: "S" })).toStrictEqual([]);
  });

  test("a missing content has no list", () => {
    expect(() => list(records, { endpoint: 1, space: "C" })).toThrow("no space C");
    expect(() => list(records, { endpoint: 4, collection: "X" })).toThrow("no collection X");
    expect(() => list(records, { endpoint: 7, user: "X" })).toThrow("no member X");
    expect(() => list(records, { endpoint: 8, site: "X" })).toThrow("no site X");
  });
});

describe("aggregates (3, 6)", () => {
  const records = [
    organization(),
    ...member("\u{1F600}", "read"),
    ...member("\uFF61", "edit"),
    ...member("admin", "admin"),
    ...member("guest", null),
    ...member("given", null),
    space("S"),
    collection("C", { defaultLevel: null }),
    onSpace("S", { user: "given" }, "review"),
    onCollection("C", { user: "given" }, "read"),
  ];

  test("list every member with a role once, ordered by the bytes of UTF-8", () => {
    expect(ids(records, { endpoint: 3, space: "S" })).toStrictEqual([
      "admin",
      "given",
      "\uFF61",
      "\u{1F600}",
    ]);
    expect(ids(records, { endpoint: 6, collection: "C" })).toStrictEqual(["admin", "given"]);
  });

  test("select exactly the requested role", () => {
    const found = Object.fromEntries(
      ROLES.map((role) => [role, ids(records, { endpoint: 3, space: "S", role })]),
    );
    expect(found).toStrictEqual({
      read: ["\u{1F600}"],
      comment: [],
      edit: ["\uFF61"],
      review: ["given"],
      create: [],
      admin: ["admin"],
    });
    expect(ids(records, { endpoint: 6, collection: "C", role: "read" })).toStrictEqual(["given"]);
  });
});
