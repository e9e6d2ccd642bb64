/**
 * The rule that decides which permission wins (docs/permissions.md). It is told six times, each in the form that its
 * readers need, and a property test compares each of the others with the first or with the oracle. What sites say is told
 * twice: here, and in `sites.ts` in `model`, on which all others build.
 *
 * - `decide`, here: for one member, level by level up the ladder. Explanations report its steps.
 * - `paint.ts` in `model`: what is painted for members of a window on one content; for pages and counts.
 * - `spaces.ts` in `model`: for one member, one space after the other; for endpoint 7.
 * - `everybody.ts` in `model`: the same on all contents, one after the other; for rules and tidying.
 * - `differences.ts` in `model`: the same of two states at once; for differences.
 * - `roles.ts` in `model`: for one member, all contents at once; for differences of one person and for removals.
 */
import type { ContentKey, DefaultLevel } from "./content.ts";
import { rankOrZero, type Role } from "./role.ts";

/** Roles by team id: the team grants on one content, or on a site, where `null` is no access. */
export type TeamRoles<Given = Role> = Pick<ReadonlyMap<string, Given>, "get" | "has" | "size"> &
  Iterable<[string, Given]> & { keys(): Iterable<string> };

/** A content and the permissions on this content alone. */
export interface Level {
  readonly content: ContentKey;
  readonly defaultLevel: DefaultLevel;
  readonly teams: TeamRoles;
  /** Of a space: the sites it is in that say something. Asked if the default level is `inherit`. */
  readonly sites?: readonly SiteLevel[];
}

/** What a site says about access. */
export interface SiteLevel {
  readonly site: string;
  readonly defaultLevel: DefaultLevel;
  readonly teams: TeamRoles<Role | null>;
}

/**
 * The levels that can decide for a content, nearest first. The last one is the first whose `defaultLevel` is not
 * `inherit`, or the topmost collection.
 */
export type Ladder = readonly Level[];

export interface MemberRights {
  /** `null` for a guest. */
  readonly role: Role | null;
  /** The ids of the member's teams. Teams without a permission on the ladder may be left out. */
  readonly teams: readonly string[];
  /** The member's direct permissions. Permissions outside the ladder may be left out. */
  readonly direct: ReadonlyMap<ContentKey, Role>;
  /** The member's direct permissions on sites; `null` is no access. */
  readonly directOnSites?: ReadonlyMap<string, Role | null>;
}

/** The rules of docs/permissions.md. */
export type Rule = "admin" | "direct" | "team" | "default" | "organization";

export interface Decision {
  readonly role: Role;
  readonly rule: Rule;
  /** Absent for the rules `admin` and `organization`, which involve no content. */
  readonly level?: Level;
  /** The site that decides, if one does; then `level` is the space that asks it. Of equal ones, the first of the level. */
  readonly site?: string;
  /** For rule `team`: the team with the highest role; of several such teams, the one with the smallest id. */
  readonly team?: string;
}

/** What one rule answered, for explanations. The deciding step is the last. */
export interface Step {
  readonly rule: Rule;
  readonly level?: Level;
  /** The site of the level that was asked. */
  readonly site?: string;
  /** `outweighed`: a site answers, but another one gives at least as high a role. */
  readonly outcome: "silent" | "onward" | "outweighed" | "decides";
  /** Absent if the step gives no role. */
  readonly role?: Role;
  /** For rule `team`: the member's teams with a permission on this level, or on the site. */
  readonly teams?: readonly string[];
  /** If a site decides: how many sites of the space say something to the member. */
  readonly answers?: number;
}

/**
 * The effective role of one member; `undefined` for no access (docs/permissions.md). `report` receives every step, so
 * that explanations use the same code as decisions.
 */
export function decide(
  ladder: Ladder,
  member: MemberRights,
  report?: (step: Step) => void,
): Decision | undefined {
  // 1. An organization admin is admin everywhere.
  if (member.role === "admin") {
    report?.({ rule: "admin", outcome: "decides", role: "admin" });
    return { role: "admin", rule: "admin" };
  }
  report?.({ rule: "admin", outcome: "silent" });

  // 2. From the content upwards, the first level that answers decides.
  for (const level of ladder) {
    // a. A direct permission decides, even if another source gives a higher role.
    const direct = member.direct.get(level.content);
    report?.(rung("direct", level, direct));
    if (direct !== undefined) return { role: direct, rule: "direct", level };

    // b. The highest permission of the member's teams.
    const team = strongest(level.teams, member.teams);
    report?.({
      ...rung("team", level, team?.role),
      teams: member.teams.filter((id) => level.teams.has(id)),
    });
    if (team !== undefined) return { role: team.role, rule: "team", level, team: team.id };

    // c, d. A default level ends the climb: members who are not guests get its role, or nothing if it is `null`.
    if (level.defaultLevel !== "inherit") {
      const role = member.role === null ? undefined : (level.defaultLevel ?? undefined);
      report?.({ ...rung("default", level, role), outcome: "decides" });
      return role === undefined ? undefined : { role, rule: "default", level };
    }
    // e. `inherit`: the sites of a space, of which the highest role counts; if all are silent, the parent.
    report?.({ rule: "default", level, outcome: "onward" });
    const found = level.sites && askSites(level, level.sites, member, report);
    if (found !== undefined) {
      const { rule, role, site, team } = found;
      return role === null ? undefined : { role, rule, level, site, ...(team === undefined ? {} : { team }) };
    }
  }

  // 3. Above the topmost collection: the organization role, or nothing for a guest.
  if (member.role === null) {
    report?.({ rule: "organization", outcome: "decides" });
    return undefined;
  }
  report?.({ rule: "organization", outcome: "decides", role: member.role });
  return { role: member.role, rule: "organization" };
}

function rung(rule: Rule, level: Level, role: Role | undefined): Step {
  return role === undefined ? { rule, level, outcome: "silent" } : { rule, level, outcome: "decides", role };
}

/** What a site says to a member: by which rule, and the role, or `null` for no access. */
interface Answer {
  readonly site: string;
  readonly rule: Rule;
  readonly role: Role | null;
  readonly team?: string;
  readonly step: Step;
}

/** What the sites of a level say to a member; `undefined` if all of them are silent. */
function askSites(
  level: Level,
  sites: readonly SiteLevel[],
  member: MemberRights,
  report: ((step: Step) => void) | undefined,
): Answer | undefined {
  const answers = sites.flatMap((site) => askSite(level, site, member, report) ?? []);
  let best: Answer | undefined;
  for (const answer of answers)
    if (best === undefined || rankOrZero(answer.role) > rankOrZero(best.role)) best = answer;
  if (best === undefined) return undefined;
  for (const { site, step } of answers) if (site !== best.site) report?.({ ...step, outcome: "outweighed" });
  report?.({ ...best.step, answers: answers.length });
  return best;
}

/** What one site says to a member; `undefined` if it is silent. Reports the steps before the one that answers. */
export function askSite(
  level: Level,
  { site, defaultLevel, teams }: SiteLevel,
  member: MemberRights,
  report?: (step: Step) => void,
): Answer | undefined {
  const direct = member.directOnSites?.get(site);
  if (direct !== undefined)
    return { site, rule: "direct", role: direct, step: answering("direct", level, site, direct) };
  report?.({ rule: "direct", level, site, outcome: "silent" });

  const team = strongest(teams, member.teams);
  if (team !== undefined) {
    const step = {
      ...answering("team", level, site, team.role),
      teams: member.teams.filter((id) => teams.has(id)),
    };
    return { site, rule: "team", role: team.role, team: team.id, step };
  }
  report?.({ rule: "team", level, site, outcome: "silent", teams: [] });

  if (defaultLevel !== "inherit") {
    const role = member.role === null ? null : defaultLevel;
    return { site, rule: "default", role, step: answering("default", level, site, role) };
  }
  report?.({ rule: "default", level, site, outcome: "onward" });
  return undefined;
}

function answering(rule: Rule, level: Level, site: string, role: Role | null): Step {
  return { rule, level, site, outcome: "decides", ...(role === null ? {} : { role }) };
}

function strongest<Given extends Role | null>(
  permissions: TeamRoles<Given>,
  teams: readonly string[],
): { id: string; role: Given } | undefined {
  let best: { id: string; role: Given } | undefined;
  for (const id of teams) {
    const role = permissions.get(id);
    if (role === undefined) continue;
    const ahead = best === undefined ? 1 : rankOrZero(role) - rankOrZero(best.role);
    if (best === undefined || ahead > 0 || (ahead === 0 && id < best.id)) best = { id, role };
  }
  return best;
}

/** The permissions of some teams on a level or a site, the deciding one first: highest role, then smallest id. */
export function teamsAt<Given extends Role | null>(
  { teams }: { readonly teams: TeamRoles<Given> },
  of: readonly string[],
): { id: string; role: Given }[] {
  const held = of.flatMap((id) => {
    const role = teams.get(id);
    return role === undefined ? [] : [{ id, role }];
  });
  return held.sort((a, b) => rankOrZero(b.role) - rankOrZero(a.role) || (a.id < b.id ? -1 : 1));
}
