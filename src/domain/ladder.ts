/**
 * The rule that decides which permission wins (docs/permissions.md). It is told six times, each in the form that its
 * readers need, and a property test compares each of the others with the first or with the oracle:
 *
 * - `decide`, here: for one member, level by level up the ladder. Explanations report its steps.
 * - `paint.ts` in `model`: what is painted for members of a window on one content; for pages and counts.
 * - `spaces.ts` in `model`: for one member, one space after the other; for endpoint 7.
 * - `everybody.ts` in `model`: the same on all contents, one after the other; for rules and tidying.
 * - `differences.ts` in `model`: the same of two states at once; for differences.
 * - `roles.ts` in `model`: for one member, all contents at once; for differences of one person and for removals.
 */
import type { ContentKey, DefaultLevel } from "./content.ts";
import { rank, type Role } from "./role.ts";

/** Roles by team id: the team grants on one content. */
export type TeamRoles = Pick<ReadonlyMap<string, Role>, "get" | "has" | "size"> &
  Iterable<[string, Role]> & { keys(): Iterable<string> };

/** A content and the permissions on this content alone. */
export interface Level {
  readonly content: ContentKey;
  readonly defaultLevel: DefaultLevel;
  readonly teams: TeamRoles;
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
}

/** The rules of docs/permissions.md. */
export type Rule = "admin" | "direct" | "team" | "default" | "organization";

export interface Decision {
  readonly role: Role;
  readonly rule: Rule;
  /** Absent for the rules `admin` and `organization`, which involve no content. */
  readonly level?: Level;
  /** For rule `team`: the team with the highest role; of several such teams, the one with the smallest id. */
  readonly team?: string;
}

/** What one rule answered, for explanations. The deciding step is the last. */
export interface Step {
  readonly rule: Rule;
  readonly level?: Level;
  readonly outcome: "silent" | "onward" | "decides";
  /** Absent if the step gives no role. */
  readonly role?: Role;
  /** For rule `team`: the member's teams with a permission on this level. */
  readonly teams?: readonly string[];
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
    // e. `inherit`: continue at the parent.
    report?.({ rule: "default", level, outcome: "onward" });
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

function strongest(permissions: TeamRoles, teams: readonly string[]): { id: string; role: Role } | undefined {
  let best: { id: string; role: Role } | undefined;
  for (const id of teams) {
    const role = permissions.get(id);
    if (role === undefined) continue;
    const ahead = best === undefined ? 1 : rank(role) - rank(best.role);
    if (best === undefined || ahead > 0 || (ahead === 0 && id < best.id)) best = { id, role };
  }
  return best;
}

/** The permissions of some teams on a level, the deciding one first: highest role, then smallest id. */
export function teamsAt({ teams }: Level, of: readonly string[]): { id: string; role: Role }[] {
  const held = of.flatMap((id) => {
    const role = teams.get(id);
    return role === undefined ? [] : [{ id, role }];
  });
  return held.sort((a, b) => rank(b.role) - rank(a.role) || (a.id < b.id ? -1 : 1));
}
