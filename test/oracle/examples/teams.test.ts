import { describe, expect, test } from "vitest";

import { ids, list, member, organization, team, wireDate } from "./examples.ts";
import { fold } from "../fold.ts";
import type { SnapshotRecord } from "../records.ts";

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
