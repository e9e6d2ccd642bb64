import { describe, expect, test } from "vitest";
import { decide, type Level, type MemberRights } from "../../src/domain/ladder.ts";
import type { ContentKey, DefaultLevel } from "../../src/domain/content.ts";
import type { Role } from "../../src/domain/role.ts";

/** The worked examples of docs/permissions.md, for a space S in a collection C. */
interface Example {
  readonly role: Role | null;
  readonly collection: DefaultLevel;
  readonly onCollection?: Given;
  readonly space: DefaultLevel;
  readonly onSpace?: Given;
  readonly effective: readonly [space: Role | "none", collection: Role | "none"];
}
type Given = Readonly<Record<string, Role>>;

const EXAMPLES: readonly Example[] = [
  { role: "edit", collection: "inherit", space: "inherit", effective: ["edit", "edit"] },
  { role: "edit", collection: "inherit", space: "read", effective: ["read", "edit"] },
  { role: "edit", collection: null, space: "inherit", effective: ["none", "none"] },
  {
    role: "edit",
    collection: null,
    onCollection: { U: "comment" },
    space: "inherit",
    effective: ["comment", "comment"],
  },
  {
    role: "create",
    collection: "inherit",
    onCollection: { U: "admin" },
    space: "inherit",
    onSpace: { U: "read" },
    effective: ["read", "admin"],
  },
  {
    role: "read",
    collection: "inherit",
    onCollection: { A: "review" },
    space: "inherit",
    onSpace: { B: "comment", D: "edit" },
    effective: ["edit", "review"],
  },
  { role: null, collection: "read", space: "inherit", effective: ["none", "none"] },
  {
    role: null,
    collection: "read",
    onCollection: { A: "edit" },
    space: "inherit",
    effective: ["edit", "edit"],
  },
  {
    role: null,
    collection: "inherit",
    onCollection: { U: "edit" },
    space: "comment",
    effective: ["none", "edit"],
  },
  { role: "admin", collection: null, space: null, onSpace: { U: "read" }, effective: ["admin", "admin"] },
];

const TEAMS = ["A", "B", "D"];

function level(content: ContentKey, defaultLevel: DefaultLevel, given: Given = {}): Level {
  const teams = new Map(Object.entries(given).filter(([grantee]) => grantee !== "U"));
  return { content, defaultLevel, teams };
}

function ladder(levels: readonly Level[]): Level[] {
  const end = levels.findIndex(({ defaultLevel }) => defaultLevel !== "inherit");
  return levels.slice(0, end < 0 ? undefined : end + 1);
}

describe("the ladder", () => {
  test.each(EXAMPLES)("worked example: $role, C $collection, S $space → $effective", (example) => {
    const collection = level("collection/C", example.collection, example.onCollection);
    const space = level("space/S", example.space, example.onSpace);
    const direct = new Map<ContentKey, Role>();
    if (example.onSpace?.U !== undefined) direct.set("space/S", example.onSpace.U);
    if (example.onCollection?.U !== undefined) direct.set("collection/C", example.onCollection.U);
    const member: MemberRights = { role: example.role, teams: TEAMS, direct };
    expect([
      decide(ladder([space, collection]), member)?.role ?? "none",
      decide(ladder([collection]), member)?.role ?? "none",
    ]).toEqual(example.effective);
  });

  test("of several teams the highest role counts; of equal ones the smallest id is named", () => {
    const teams = new Map<string, Role>([
      ["c", "edit"],
      ["b", "review"],
      ["a", "review"],
      ["d", "create"],
    ]);
    const levels: Level[] = [{ content: "space/S", defaultLevel: "inherit", teams }];
    const decision = decide(levels, { role: null, teams: ["c", "b", "a"], direct: new Map() });
    expect(decision).toMatchObject({ role: "review", rule: "team", team: "a" });
  });

  test("review ranks above edit, whatever order a list has them in", () => {
    const teams = new Map<string, Role>([
      ["a", "edit"],
      ["b", "review"],
    ]);
    const levels: Level[] = [{ content: "space/S", defaultLevel: null, teams }];
    expect(decide(levels, { role: "read", teams: ["a", "b"], direct: new Map() })?.role).toBe("review");
  });

  test("every tried step is reported, the deciding one last", () => {
    const steps: string[] = [];
    decide(
      [level("space/S", "inherit"), level("collection/C", "read")],
      { role: "edit", teams: [], direct: new Map() },
      (step) => steps.push(`${step.rule} ${step.level?.content ?? ""} ${step.outcome}`.replace("  ", " ")),
    );
    expect(steps).toEqual([
      "admin silent",
      "direct space/S silent",
      "team space/S silent",
      "default space/S onward",
      "direct collection/C silent",
      "team collection/C silent",
      "default collection/C decides",
    ]);
  });
});
