import { describe, expect, test } from "vitest";

import {
  collection,
  list,
  member,
  onCollection,
  onSpace,
  organization,
  site,
  space,
  team,
} from "./examples.ts";
import type { SnapshotRecord } from "../records.ts";

const origins = (records: SnapshotRecord[], id = "W") =>
  list(records, { endpoint: 8, site: id }).map((item) => {
    if (!("origin" in item)) throw new Error("an entry of a site has an origin");
    return [item.user.id, item.permission, item.origin];
  });

const fromOrganization = (space: string) => ({ type: "organization", space, organization: "o" });

describe("a site's users (8)", () => {
  test("the highest role, from the space with the smallest id that gives it, and its origin there", () => {
    const records = [
      organization(),
      ...member("admin", "admin"),
      ...member("editor", "edit"),
      ...member("reader", "read"),
      ...member("guest", null),
      ...member("nobody", null),
      ...team("A", ["reader"]),
      collection("C"),
      space("a", { parent: "C" }),
      space("B", { defaultLevel: "comment" }),
      space("b", { defaultLevel: "edit" }),
      space("elsewhere"),
      ...site("W", ["b", "a", "B"]),
      ...site("empty", []),
      // For an admin, rule 1 decides before this permission.
      onSpace("B", { user: "admin" }, "read"),
      onCollection("C", { team: "A" }, "review"),
      onSpace("b", { user: "guest" }, "edit"),
      onSpace("elsewhere", { user: "nobody" }, "admin"),
    ];
    expect(origins(records)).toStrictEqual([
      ["admin", "admin", fromOrganization("B")],
      ["editor", "edit", fromOrganization("a")],
      ["guest", "edit", { type: "space", space: "b" }],
      ["reader", "review", { type: "space", space: "a" }],
    ]);
    expect(origins(records, "empty")).toStrictEqual([]);
  });

  test("of two spaces that give the role, the one with the smaller id decides the type", () => {
    const members = [organization(), ...member("U", "edit")];
    const given = [space("1"), space("2", { defaultLevel: "edit" }), ...site("W", ["2", "1"])];
    expect(origins([...members, ...given])).toStrictEqual([
      ["U", "edit", { type: "organization", space: "1", organization: "o" }],
    ]);
    const turned = [space("2"), space("1", { defaultLevel: "edit" }), ...site("W", ["2", "1"])];
    expect(origins([...members, ...turned])).toStrictEqual([["U", "edit", { type: "space", space: "1" }]]);
  });
});
