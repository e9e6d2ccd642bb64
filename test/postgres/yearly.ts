import type { Role, SnapshotRecord } from "../oracle/records.ts";

export const YEARLY = "yearly";

const DATE = "2025-03-01T09:30:00.000Z";

/** An organization whose lists show their `year`: everybody has another role every year. */
export function yearly(year: number, members = 12): SnapshotRecord[] {
  const roles: Role[] = ["read", "comment", "edit", "review", "create"];
  const role = roles[year % roles.length] ?? "read";
  const users = Array.from({ length: members }, (_, index) => `u${String(index).padStart(5, "0")}`);
  return [
    { object: "organization", id: YEARLY, title: `Year ${year}` },
    { object: "collection", id: "c", organization: YEARLY, title: "C" },
    ...["a", "b"].map((id): SnapshotRecord => {
      return {
        object: "space",
        id,
        organization: YEARLY,
        title: id,
        parent: "c",
        createdAt: DATE,
        updatedAt: DATE,
      };
    }),
    { object: "team", id: "t", organization: YEARLY, title: `Team ${year}`, createdAt: DATE },
    { object: "permission", collection: "c", team: "t", permission: role },
    ...users.flatMap((id, index): SnapshotRecord[] => [
      { object: "user", id, displayName: `${id} in ${year}` },
      { object: "member", organization: YEARLY, user: id, role: index === 0 ? "admin" : "read" },
      { object: "teamMember", team: "t", user: id, role: "member" },
    ]),
  ];
}
