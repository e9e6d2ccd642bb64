/**
 * The rules of docs/permissions.md, one user and one content at a time: what decides, and from that the effective role
 * and its origin.
 */
import type { Content, Facts } from "./facts.ts";
import { byBytes } from "./order.ts";
import {
  type CollectionRecord,
  type DefaultLevel,
  ROLES,
  type Role,
  type SiteRecord,
  type SpaceRecord,
} from "./records.ts";

/** A team's role on a content or a site; on a site, `null` is no access. */
export interface TeamRole {
  readonly id: string;
  readonly role: Role | null;
}

/** What decides the role of one user on one content; each rule has a name. */
export interface Decision {
  readonly rule: "stranger" | "admin" | "direct" | "team" | "level" | "organization";
  /** `null` is no access. */
  readonly role: Role | null;
  /** The content at which rule 2 decides. */
  readonly at?: Content;
  /** How many contents lie below `at`. */
  readonly below: number;
  /** The site that decides for the space `at`. */
  readonly site?: string;
  /** The default level that decides, whatever it gives to the user. */
  readonly level?: Role | null;
  /** The user's teams with a permission on `at`, or on the site that decides; the strongest first, then by id. */
  readonly teams: readonly TeamRole[];
}

/** What a site says to one user. */
export interface Said extends Pick<Decision, "role" | "level" | "teams"> {
  readonly site: string;
  readonly rule: "direct" | "team" | "level";
}

export interface Effective {
  role: Role;
  /** `organization` if rule 1 or rule 3 decided; `site` if a site did; otherwise `content` (docs/permissions.md). */
  from: "organization" | "site" | "content";
}

/** Whether `role` is `least` or stronger (docs/permissions.md). */
export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The highest of some roles; `undefined` if there are none. */
export function highest(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}

/** The place of a role in the order of roles; no access is below all of them. */
export function rankOf(role: Role | null): number {
  return role === null ? -1 : ROLES.indexOf(role);
}

/** The default level of a content or a site. An absent `defaultLevel` means `inherit` (docs/permissions.md). */
export function levelOf(record: SpaceRecord | CollectionRecord | SiteRecord): DefaultLevel {
  return record.defaultLevel === undefined ? "inherit" : record.defaultLevel;
}

/** The record of a content; `undefined` if the organization does not have it. */
export function recordOf(facts: Facts, content: Content): SpaceRecord | CollectionRecord | undefined {
  return content.kind === "space" ? facts.spaces.get(content.id) : facts.collections.get(content.id);
}

/** The sites that a content asks, by id: those of a space whose default level is `inherit`. */
export function sitesAskedBy(facts: Facts, { kind, id }: Content): string[] {
  const space = kind === "space" ? facts.spaces.get(id) : undefined;
  if (space === undefined || levelOf(space) !== "inherit") return [];
  return [...facts.sites].flatMap(([site, spaces]) => (spaces.includes(id) ? site : [])).sort(byBytes);
}

/** The content and the collections above it from which it could inherit, nearest first. */
export function ancestry(facts: Facts, content: Content): Content[] {
  const record = recordOf(facts, content);
  if (record === undefined) throw new Error(`${content.kind} ${content.id} is named and does not exist`);
  if (record.parent === undefined) return [content];
  return [content, ...ancestry(facts, { kind: "collection", id: record.parent })];
}

/** A user's own permission and those of the user's teams, among permissions of one content or site. */
export function theirs(
  facts: Facts,
  user: string,
  permissions: readonly { user?: string; team?: string; permission: Role | null }[],
): { direct: Role | null | undefined; teams: TeamRole[] } {
  const isIn = (team: string) =>
    facts.teamMembers.some((membership) => membership.team === team && membership.user === user);
  return {
    direct: permissions.find((permission) => permission.user === user)?.permission,
    teams: permissions
      .flatMap(({ team, permission }) =>
        team !== undefined && isIn(team) ? { id: team, role: permission } : [],
      )
      .sort((a, b) => rankOf(b.role) - rankOf(a.role) || byBytes(a.id, b.id)),
  };
}

/** What decides a user's role on a content that exists. */
export function decisionOf(facts: Facts, user: string, content: Content): Decision {
  // Rule 1.
  const own = facts.members.get(user);
  if (own === undefined) return { rule: "stranger", role: null, below: -1, teams: [] };
  if (own === "admin") return { rule: "admin", role: own, below: -1, teams: [] };

  // Rule 2.
  const all = ancestry(facts, content);
  for (const [below, at] of all.entries()) {
    const { direct, teams } = theirs(facts, user, facts.permissionsOn(at));
    const found = { at, below, teams };
    if (direct !== undefined) return { ...found, rule: "direct", role: direct };
    const [strongest] = teams;
    if (strongest !== undefined) return { ...found, rule: "team", role: strongest.role };
    const record = recordOf(facts, at);
    const level = record === undefined ? "inherit" : levelOf(record);
    if (level !== "inherit") return { ...found, rule: "level", role: own && level, level };
    const said = broadest(saidBySites(facts, user, at));
    if (said !== undefined) return { at, below, ...said };
  }

  // Rule 3.
  return { rule: "organization", role: own, below: all.length, teams: [] };
}

/** What the sites that a content asks say to a user, by the ids of the sites. Those that say nothing are left out. */
export function saidBySites(facts: Facts, user: string, content: Content): Said[] {
  return sitesAskedBy(facts, content).flatMap((site) => saidBy(facts, user, site) ?? []);
}

/** What a site says to a user, alone; `undefined` if nothing. */
function saidBy(facts: Facts, user: string, site: string): Said | undefined {
  const { direct, teams } = theirs(facts, user, facts.permissionsOnSite(site));
  if (direct !== undefined) return { site, rule: "direct", role: direct, teams };
  const [strongest] = teams;
  if (strongest !== undefined) return { site, rule: "team", role: strongest.role, teams };
  const record = facts.siteRecords.get(site);
  const level = record === undefined ? "inherit" : levelOf(record);
  if (level === "inherit") return undefined;
  return { site, rule: "level", role: facts.members.get(user) === null ? null : level, level, teams };
}

/** The highest of what some sites say. Where several say it, the first of them; `asked` is before all others. */
export function broadest(all: readonly Said[], asked?: string): Said | undefined {
  const most = Math.max(...all.map(({ role }) => rankOf(role)));
  const best = all.filter(({ role }) => rankOf(role) === most);
  return best.find(({ site }) => site === asked) ?? best[0];
}

/** The effective role of one user on one content, with its origin; `null` for no access (docs/permissions.md). */
export function effectiveOf(facts: Facts, user: string, content: Content): Effective | null {
  if (recordOf(facts, content) === undefined) return null;
  const { rule, role, site } = decisionOf(facts, user, content);
  if (role === null) return null;
  if (rule === "admin" || rule === "organization") return { role, from: "organization" };
  return { role, from: site === undefined ? "content" : "site" };
}
