import { describe, expect, test } from "vitest";

import {
  type Grantee,
  collection,
  member,
  onCollection,
  onSpace,
  organization,
  publicUrl,
  space,
  team,
} from "./examples.ts";
import { oracle } from "../oracle.ts";
import type { DefaultLevel, Role, SnapshotRecord } from "../records.ts";

describe("the worked examples of section 3", () => {
  const U = { user: "U" };
  interface Example {
    role: Role | null;
    c: DefaultLevel;
    onC?: [Grantee, Role][];
    s: DefaultLevel;
    onS?: [Grantee, Role][];
    effectiveS: Role | null;
    effectiveC: Role | null;
  }
  const examples: Example[] = [
    { role: "edit", c: "inherit", s: "inherit", effectiveS: "edit", effectiveC: "edit" },
    { role: "edit", c: "inherit", s: "read", effectiveS: "read", effectiveC: "edit" },
    { role: "edit", c: null, s: "inherit", effectiveS: null, effectiveC: null },
    {
      role: "edit",
      c: null,
      onC: [[U, "comment"]],
      s: "inherit",
      effectiveS: "comment",
      effectiveC: "comment",
    },
    {
      role: "create",
      c: "inherit",
      onC: [[U, "admin"]],
      s: "inherit",
      onS: [[U, "read"]],
      effectiveS: "read",
      effectiveC: "admin",
    },
    {
      role: "read",
      c: "inherit",
      onC: [[{ team: "A" }, "review"]],
      s: "inherit",
      onS: [
        [{ team: "B" }, "comment"],
        [{ team: "D" }, "edit"],
      ],
      effectiveS: "edit",
      effectiveC: "review",
    },
    { role: null, c: "read", s: "inherit", effectiveS: null, effectiveC: null },
    {
      role: null,
      c: "read",
      onC: [[{ team: "A" }, "edit"]],
      s: "inherit",
      effectiveS: "edit",
      effectiveC: "edit",
    },
    { role: null, c: "inherit", onC: [[U, "edit"]], s: "comment", effectiveS: null, effectiveC: "edit" },
    { role: "admin", c: null, s: null, onS: [[U, "read"]], effectiveS: "admin", effectiveC: "admin" },
  ];

  test.each(examples)("$role in C $c with $onC, S $s with $onS", (example) => {
    const answers = oracle(
      [
        organization(),
        ...member("U", example.role),
        ...["A", "B", "D"].flatMap((id) => team(id, ["U"])),
        collection("C", { defaultLevel: example.c }),
        space("S", { parent: "C", defaultLevel: example.s }),
        ...(example.onC ?? []).map(([to, role]) => onCollection("C", to, role)),
        ...(example.onS ?? []).map(([to, role]) => onSpace("S", to, role)),
      ],
      { publicUrl },
    );
    expect(answers.effective("o", "U", { kind: "space", id: "S" })).toBe(example.effectiveS);
    expect(answers.effective("o", "U", { kind: "collection", id: "C" })).toBe(example.effectiveC);
  });
});

/** The effective role on a space. */
function on(records: SnapshotRecord[], user = "U", id = "S"): Role | null {
  return oracle([organization(), ...records], { publicUrl }).effective("o", user, { kind: "space", id });
}

describe("the rules around the examples", () => {
  test("a user who is not a member has no role, and nobody has one on a missing content", () => {
    const outsider: SnapshotRecord = { object: "user", id: "U", displayName: "U" };
    expect(on([outsider, space("S", { defaultLevel: "admin" })])).toBeNull();
    expect(on([...member("U", "admin"), space("S")], "U", "T")).toBeNull();
  });

  test("a direct permission precedes a higher one of a team, and a nearer one a higher one above", () => {
    const records = [
      ...member("U", "read"),
      ...team("A", ["U"]),
      collection("C"),
      space("S", { parent: "C" }),
    ];
    const direct = onSpace("S", { user: "U" }, "read");
    expect(on([...records, direct, onSpace("S", { team: "A" }, "admin")])).toBe("read");
    expect(on([...records, direct, onCollection("C", { user: "U" }, "admin")])).toBe("read");
    const through = onSpace("S", { team: "A" }, "comment");
    expect(on([...records, through, onCollection("C", { user: "U" }, "admin")])).toBe("comment");
  });

  test("review is above edit among a user's teams", () => {
    const records = [...member("U", "read"), ...team("A", ["U"]), ...team("B", ["U"]), space("S")];
    const given = [onSpace("S", { team: "A" }, "review"), onSpace("S", { team: "B" }, "edit")];
    expect(on([...records, ...given])).toBe("review");
  });

  test("an absent default level is inherit, through any number of collections", () => {
    const chain = [
      collection("C1", { defaultLevel: "comment" }),
      collection("C2", { parent: "C1" }),
      collection("C3", { parent: "C2", defaultLevel: "inherit" }),
    ];
    expect(on([...member("U", "edit"), ...chain, space("S", { parent: "C3" })])).toBe("comment");
    expect(on([...member("U", null), ...chain, space("S", { parent: "C3" })])).toBeNull();
    expect(on([...member("U", "edit"), space("S")])).toBe("edit");
    expect(on([...member("U", null), space("S")])).toBeNull();
  });

  test("teams of other users give nothing", () => {
    const records = [...member("U", null), ...member("V", null), ...team("A", ["V"]), space("S")];
    expect(on([...records, onSpace("S", { team: "A" }, "edit")])).toBeNull();
    expect(on([...records, onSpace("S", { team: "A" }, "edit")], "V")).toBe("edit");
  });
});
