/** An organization whose lists go on in parts. */
import type { SnapshotRecord } from "../../oracle/records.ts";

export const MANY = 1300;
const DATE = "2026-01-01T00:00:00.000Z";
const numbers = Array.from({ length: MANY }, (_, number) => number);

/**
 * Somebody in more teams and with more permissions than a row has, the last of them on a site. On a content and on the
 * site, as many teams have permissions.
 */
export const LONG: SnapshotRecord[] = [
  { object: "organization", id: "o", title: "o" },
  { object: "user", id: "robot", displayName: "Robot" },
  { object: "member", organization: "o", user: "robot", role: null },
  { object: "site", id: "site", organization: "o", title: "site" },
  ...numbers.flatMap((number): SnapshotRecord[] => [
    { object: "team", id: `t${number}`, organization: "o", title: "T", createdAt: DATE },
    { object: "space", id: `s${number}`, organization: "o", title: "S", createdAt: DATE, updatedAt: DATE },
    { object: "teamMember", team: `t${number}`, user: "robot", role: number % 3 === 0 ? "owner" : "member" },
    { object: "permission", space: `s${number}`, user: "robot", permission: "edit" },
    { object: "permission", space: "s0", team: `t${number}`, permission: "read" },
    { object: "permission", site: "site", team: `t${number}`, permission: number % 2 === 0 ? "read" : null },
    { object: "siteSpace", site: "site", space: `s${number}` },
  ]),
  { object: "permission", site: "site", user: "robot", permission: null },
];

/** Whether a record is an entry of a list whose number is in one of the stretches; `true` for those of teams. */
export function isIn(
  record: SnapshotRecord,
  stretches: readonly (readonly [number, number, boolean])[],
): boolean {
  const id =
    record.object === "teamMember" || (record.object === "permission" && record.team !== undefined)
      ? record.team
      : record.object === "siteSpace" || record.object === "permission"
        ? record.space
        : undefined;
  if (id === undefined) return false;
  const number = Number(id.slice(1));
  return stretches.some(
    ([a, b, ofTeams]) =>
      ofTeams === id.startsWith("t") && number >= Math.min(a, b) && number <= Math.max(a, b),
  );
}
