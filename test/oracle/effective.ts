import type { Content, Facts } from "./facts.ts";
import { type CollectionRecord, type DefaultLevel, ROLES, type Role, type SpaceRecord } from "./records.ts";

export interface Effective {
  role: Role;
  /** `organization` if rule 1 or rule 3 decided, otherwise `content` (docs/permissions.md). */
  from: "organization" | "content";
}

/** Whether `role` is `least` or stronger (docs/permissions.md). */
export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The highest of some roles; `undefined` if there are none. */
export function highest(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}

/** A content's default level. An absent `defaultLevel` means `inherit` (docs/permissions.md, rule 2e). */
export function levelOf(record: SpaceRecord | CollectionRecord): DefaultLevel {
  return record.defaultLevel === undefined ? "inherit" : record.defaultLevel;
}

/** The record of a content; `undefined` if the organization does not have it. */
export function recordOf(facts: Facts, content: Content): SpaceRecord | CollectionRecord | undefined {
  return content.kind === "space" ? facts.spaces.get(content.id) : facts.collections.get(content.id);
}

/** The effective role of one user on one content, with its origin; `null` for no access (docs/permissions.md). */
export function effectiveOf(facts: Facts, user: string, content: Content): Effective | null {
  // Rule 1.
  const own = facts.members.get(user);
  if (own === undefined || recordOf(facts, content) === undefined) return null;
  if (own === "admin") return { role: "admin", from: "organization" };

  const teams = facts.teamMembers
    .filter((membership) => membership.user === user)
    .map((membership) => membership.team);

  // Rule 2.
  let here: Content | undefined = content;
  while (here !== undefined) {
    const given = facts.permissionsOn(here);

    const direct = given.find((permission) => permission.user === user);
    if (direct !== undefined) return { role: direct.permission, from: "content" };

    const throughTeams = given.filter(({ team }) => team !== undefined && teams.includes(team));
    const best = highest(throughTeams.map(({ permission }) => permission));
    if (best !== undefined) return { role: best, from: "content" };

    const record = recordOf(facts, here);
    if (record === undefined) throw new Error(`${here.kind} ${here.id} is named and does not exist`);
    const level = levelOf(record);
    if (level === null) return null;
    if (level !== "inherit") return own === null ? null : { role: level, from: "content" };

    here = record.parent === undefined ? undefined : { kind: "collection", id: record.parent };
  }

  // Rule 3.
  return own === null ? null : { role: own, from: "organization" };
}
