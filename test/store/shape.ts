import type { Role, SnapshotRecord } from "../oracle/records.ts";

/** The id of the organization of {@link shape}. */
export const SHAPE = "shape";

/** Where the members of team `skew`, and the closed spaces, are in the order of ids: spread, or all at one end. */
export type Layout = "spread" | "first" | "last";

/**
 * An organization with `members` members and fixed proportions, so that the rows that a page reads must not depend on
 * `members`. A member's teams and permissions follow from the number in the member's id.
 */
export function shape(members: number, layout: Layout = "spread"): SnapshotRecord[] {
  const records: SnapshotRecord[] = [{ object: "organization", id: SHAPE, title: "Shape" }];
  const people = Array.from({ length: members }, (_, index) => index);
  const spaces = Array.from({ length: members / 5 }, (_, index) => index);
  for (const index of people) {
    records.push({
      object: "user",
      id: user(index),
      displayName: `Member ${index}`,
      email: `m${index}@shape.example`,
    });
    records.push({ object: "member", organization: SHAPE, user: user(index), role: roleOf(index) });
  }
  for (const [team, every] of Object.entries(TEAMS)) {
    records.push({ object: "team", id: team, organization: SHAPE, title: `Team ${team}`, createdAt: DATE });
    for (const index of people.filter((each) => each % every === 0)) {
      records.push({ object: "teamMember", team, user: user(index), role: "member" });
    }
  }
  records.push({ object: "collection", id: "open", organization: SHAPE, title: "Open" });
  records.push({
    object: "collection",
    id: "closed",
    organization: SHAPE,
    title: "Closed",
    defaultLevel: null,
  });
  records.push(space("wide", "open"), space("narrow", "closed"), space("empty", "closed"));
  for (const index of spaces) {
    const closed = layout === "spread" ? index % 2 === 0 : isAtEnd(index, spaces.length, layout, 0.85);
    records.push(space(`s${String(index).padStart(6, "0")}`, closed ? "closed" : "open"));
  }
  records.push({ object: "team", id: "skew", organization: SHAPE, title: "Skew", createdAt: DATE });
  for (const index of people) {
    const isIn = layout === "spread" ? index % 7 === 3 : isAtEnd(index, members, layout, 0.14);
    if (isIn) records.push({ object: "teamMember", team: "skew", user: user(index), role: "member" });
  }
  // Only team `skew` has access to space `marked`, with role review.
  records.push({ ...space("skewed", "open"), defaultLevel: null }, space("marked", "open"));
  records.push(given("space", "skewed", "skew", "edit"), given("space", "marked", "skew", "review"));
  records.push(given("collection", "open", "large", "edit"), given("space", "wide", "small", "review"));
  records.push(given("collection", "closed", "small", "read"), given("space", "narrow", "tiny", "comment"));
  for (const index of people) {
    if (index % 10 === 3) records.push(direct("wide", index, "comment"));
    if (index % 25 === 7) records.push(direct("narrow", index, "admin"));
    // On space `sparse`, nearly all members of the large team have a direct permission, which decides instead of the
    // team's edit.
    if (index % 3 === 0 && index % 999 !== 0) records.push(direct("sparse", index, "read"));
  }
  records.push(space("sparse", "closed"), given("space", "sparse", "large", "edit"));
  records.push({ object: "site", id: "both", organization: SHAPE, title: "Both" });
  records.push(
    { object: "siteSpace", site: "both", space: "wide" },
    { object: "siteSpace", site: "both", space: "narrow" },
  );
  return records;
}

const DATE = "2025-03-01T09:30:00.000Z";
/** One member in this many belongs to the team. */
const TEAMS = { large: 3, small: 25, tiny: 50 } as const;
const ROLES: readonly (Role | null)[] = [
  "read",
  "comment",
  "edit",
  "read",
  null,
  "read",
  "review",
  "read",
  "create",
  "read",
];

export function user(index: number): string {
  return `u${String(index).padStart(7, "0")}`;
}

/** One member in 25 is an admin, so that even the smallest organization has a page of admins. */
export function isAdmin(index: number): boolean {
  return index % 25 === 13;
}

function roleOf(index: number): Role | null {
  return isAdmin(index) ? "admin" : (ROLES[index % ROLES.length] ?? null);
}

/** Whether an index is within a part of all indexes at one end. */
function isAtEnd(index: number, all: number, end: "first" | "last", part: number): boolean {
  return end === "first" ? index < part * all : index >= (1 - part) * all;
}

function space(id: string, parent: string): Extract<SnapshotRecord, { object: "space" }> {
  return {
    object: "space",
    id,
    organization: SHAPE,
    title: `Space ${id}`,
    parent,
    createdAt: DATE,
    updatedAt: DATE,
  };
}

function given(kind: "space" | "collection", id: string, team: string, permission: Role): SnapshotRecord {
  return kind === "space"
    ? { object: "permission", space: id, team, permission }
    : { object: "permission", collection: id, team, permission };
}

function direct(id: string, index: number, permission: Role): SnapshotRecord {
  return { object: "permission", space: id, user: user(index), permission };
}
