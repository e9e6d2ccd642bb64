import { ROLES, type SnapshotRecord } from "../../oracle/records.ts";

const DATE = "2025-01-01T00:00:00Z";

/**
 * Sixty people on a site of six spaces, some of which inherit. Every combination of reasons occurs. There are
 * `teamCount` teams.
 */
export function mixed(teamCount: number): SnapshotRecord[] {
  const first = ["Ana", "Björn", "Chloé", "Émile", "Nils", "Zoë"];
  const last = ["Lima", "Sandvik", "O’Neil", "de la Cruz", "Ng"];
  const people = Array.from({ length: 60 }, (_, n) => ({
    id: `u${String(n).padStart(2, "0")}`,
    name: `${first[n % 6]} ${last[n % 5]}`,
    role: ([null, "read", "comment", "edit", "admin", null, "review"] as const)[n % 7] ?? null,
  }));
  const space = (n: number, more: object): SnapshotRecord =>
    Object({
      object: "space",
      id: `s${n}`,
      organization: "o",
      title: `${first[n]} space`,
      createdAt: `2025-01-0${n + 1}T00:00:00Z`,
      updatedAt: DATE,
      ...more,
    });
  const teams = Array.from({ length: teamCount }, (_, n) => `t${n}`);
  return [
    { object: "organization", id: "o", title: "O" },
    ...people.flatMap(({ id, name, role }, n): SnapshotRecord[] => [
      {
        object: "user",
        id,
        displayName: name,
        ...(n % 3 === 0 ? {} : { email: `${id}.mail@ng.example` }),
      },
      { object: "member", organization: "o", user: id, role },
    ]),
    ...teams.flatMap((id, n): SnapshotRecord[] => [
      { object: "team", id, organization: "o", title: `Team ${last[n % 5]}`, createdAt: DATE },
      ...people
        .filter((_, at) => (at * 7 + n) % (n + 2) === 0)
        .map(({ id: user }): SnapshotRecord => ({ object: "teamMember", team: id, user, role: "member" })),
    ]),
    { object: "collection", id: "c", organization: "o", title: "Nils collection", defaultLevel: "inherit" },
    space(0, { parent: "c" }),
    space(1, { parent: "c", defaultLevel: "comment" }),
    space(2, { defaultLevel: null, deletedAt: DATE }),
    space(3, { defaultLevel: "edit" }),
    space(4, { deletedAt: DATE }),
    space(5, { parent: "c", defaultLevel: null }),
    { object: "site", id: "w", organization: "o", title: "W" },
    ...[0, 1, 2, 3, 4, 5].map((n): SnapshotRecord => ({ object: "siteSpace", site: "w", space: `s${n}` })),
    ...teams.map((team, n): SnapshotRecord => ({
      object: "permission",
      ...(n === 0 ? { collection: "c" } : { space: `s${n % 6}` }),
      team,
      permission: (["edit", "review", "read", "edit"] as const)[n % 4] ?? "read",
    })),
    { object: "permission", space: "s5", team: "t1", permission: "review" },
    ...people
      .filter((_, n) => n % 4 === 1)
      .map(({ id }, n): SnapshotRecord => ({
        object: "permission",
        ...(n % 3 === 0 ? { collection: "c" } : { space: `s${n % 6}` }),
        user: id,
        permission: ROLES[n % 6] ?? "read",
      })),
  ];
}
