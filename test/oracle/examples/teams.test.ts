import { describe, expect, test } from "vitest";

import {
  collection,
  ids,
  list,
  member,
  onCollection,
  onSpace,
  organization,
  space,
  team,
  wireDate,
} from "./examples.ts";
import { fold } from "../fold.ts";
import type { DefaultLevel, SnapshotRecord } from "../records.ts";

const titled = (...titles: string[]) => [
  organization(),
  ...member("U", null),
  ...titles.flatMap((title, at) => team(`t${at}`, ["U"], title)),
];

const sent = (id: string, members: number) => ({
  object: "team",
  id,
  title: id,
  members,
  spaces: 0,
  createdAt: wireDate,
});

const spacesOf = (...records: SnapshotRecord[]) => {
  const [item] = list([organization(), ...member("U", null), ...team("A", ["U"]), ...records], {
    endpoint: 9,
    user: "U",
  });
  if (item === undefined || !("member" in item)) throw new Error("one team is listed");
  return item.team.spaces;
};

const found = (title: string, ...titles: string[]) =>
  ids(titled(...titles), { endpoint: 9, user: "U", title }).length > 0;

describe("a member's teams (9)", () => {
  test("with the member's role in each, by team id", () => {
    const records = [
      organization(),
      ...member("U", null),
      ...member("V", null),
      ...team("b", ["V"]),
      ...team("a", ["V"]),
      { object: "teamMember", team: "a", user: "U", role: "owner" } satisfies SnapshotRecord,
      ...team("B", ["U"]),
    ];
    expect(list(records, { endpoint: 9, user: "U" })).toStrictEqual([
      { team: sent("B", 1), member: { role: "member" } },
      { team: sent("a", 2), member: { role: "owner" } },
    ]);
  });

  test.each([
    ["ÉCOLE", "École", true],
    ["école", "E\u0301cole", true],
    ["STRASSE", "Straße", true],
    ["Straße", "STRASSE", true],
    ["asse", "Straße", true],
    ["strasse", "STRAẞE", true],
    ["οδος", "ΟΔΟΣ", true],
    ["οδοσ", "Οδός", false],
    // A final sigma ends the filter but not the word, or the reverse.
    ["ς", "ΑΣ", true],
    ["οδος", "ΟΔΟΣΤΡΩΜΑ", true],
    // These signs have no case, but the letters into which NFKC converts them do.
    ["tm", "Acme™", true],
    ["™", "tm", true],
    ["mhz", "㎒", true],
    // Upper case decomposes this letter; only the last NFKC composes it again.
    ["ΐ", "\u0390", true],
    ["ι", "\u0390", false],
    ["fi", "ﬁn", true],
    ["ecole", "École", false],
    ["%", "100%", true],
    ["%", "1000", false],
    ["1%0", "1000", false],
    ["_", "a_b", true],
    ["a_b", "aXb", false],
    ["\\", "a\\b", true],
    ["\\%", "100%", false],
    ["", "", true],
    ["", "anything", true],
    ["x", "", false],
  ])("%j finds %j: %j", (filter, title, expected) => {
    expect(found(filter, title)).toBe(expected);
  });

  test("case folding follows section 4", () => {
    expect(fold("ÉCOLE")).toBe("école");
    expect(fold("Straße")).toBe("strasse");
    expect(fold("ΟΔΟΣ")).toBe(fold("οδοσ"));
  });
});

/** A space in a collection with this default level, which is in the collection with the permission. */
const between = (defaultLevel: DefaultLevel) => [
  collection("C"),
  collection("D", { parent: "C", defaultLevel }),
  space("S", { parent: "D" }),
];

describe("a team's spaces", () => {
  const given = onCollection("C", { team: "A" }, "read");

  test("counts spaces that inherit from the collection with the permission, whatever its own default level", () => {
    const below = [space("1", { parent: "C" }), space("2", { parent: "C", defaultLevel: "inherit" })];
    expect(spacesOf(given, collection("C", { defaultLevel: null }), ...below)).toBe(2);
    expect(spacesOf(given, collection("C", { defaultLevel: "edit" }), ...below)).toBe(2);
  });

  test("stops where inheritance ends, in a space or in a collection between", () => {
    const breaks = [space("1", { parent: "C", defaultLevel: null }), space("2", { parent: "C" })];
    expect(spacesOf(given, collection("C"), ...breaks)).toBe(1);
    expect(spacesOf(given, ...between("inherit"))).toBe(1);
    expect(spacesOf(given, ...between("read"))).toBe(0);
    expect(spacesOf(given, ...between(null))).toBe(0);
  });

  test("counts a space once, also a closed one with a permission itself, and no collection", () => {
    const closed = space("S", { parent: "C", defaultLevel: null });
    expect(spacesOf(given, collection("C"), closed, onSpace("S", { team: "A" }, "read"))).toBe(1);
    const open = space("S", { parent: "C" });
    expect(spacesOf(given, collection("C"), open, onSpace("S", { team: "A" }, "read"))).toBe(1);
    expect(spacesOf(given, collection("C"))).toBe(0);
  });

  test("another grantee's permission in between changes nothing", () => {
    const below = [collection("C"), collection("D", { parent: "C" }), space("S", { parent: "D" })];
    expect(spacesOf(given, ...below, onCollection("D", { user: "U" }, "read"))).toBe(1);
  });
});
