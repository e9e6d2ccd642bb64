import { highest, levelOf, recordOf } from "../oracle/effective.ts";
import type { Content, Facts } from "../oracle/facts.ts";
import type { Role } from "../oracle/records.ts";

/** The step of docs/permissions.md that decided, with the letter in step 2. */
export type Rule = "1" | "2a" | "2b" | "2c" | "2d" | "3";

/** The reason for an effective role, or for no access. */
export interface Reason {
  rule: Rule;
  /** The effective role; `null` for no access. */
  role: Role | null;
  /** The content that decided, in step 2. */
  at?: Content;
  /** The permissions of the user's teams on `at`, strongest first, then by team id. */
  teams: { id: string; role: Role }[];
  /** Whether a collection above `at` has a permission of the user or of one of their teams. */
  givenAbove: boolean;
}

/**
 * Decides by docs/permissions.md for one user, and collects what the sentence of docs/permissions.md names. Throws if
 * the content does not exist.
 */
export function reasonOf(facts: Facts, user: string, content: Content): Reason {
  const own = facts.members.get(user);
  const teamIds = facts.teamMembers.filter((link) => link.user === user).map((link) => link.team);
  if (own === undefined) return { rule: "1", role: null, teams: [], givenAbove: false };
  if (own === "admin") return { rule: "1", role: "admin", teams: [], givenAbove: false };

  const ancestry = ancestryOf(facts, content);
  for (const [index, at] of ancestry.entries()) {
    const teams = throughTeams(facts, at, teamIds);
    const givenAbove = ancestry
      .slice(index + 1)
      .some(
        (above) =>
          directOf(facts, above, user) !== undefined || throughTeams(facts, above, teamIds).length > 0,
      );
    const found = { at, teams, givenAbove };

    const direct = directOf(facts, at, user);
    if (direct !== undefined) return { rule: "2a", role: direct, ...found };
    if (teams.length > 0)
      return { rule: "2b", role: highest(teams.map(({ role }) => role)) ?? null, ...found };
    const level = levelOf(existing(facts, at));
    if (level === null) return { rule: "2d", role: null, ...found };
    if (level !== "inherit") return { rule: "2c", role: own === null ? null : level, ...found };
  }
  return { rule: "3", role: own, teams: [], givenAbove: false };
}

/** The content and the collections above it, nearest first. */
function ancestryOf(facts: Facts, content: Content): Content[] {
  const { parent } = existing(facts, content);
  return parent === undefined
    ? [content]
    : [content, ...ancestryOf(facts, { kind: "collection", id: parent })];
}

function existing(facts: Facts, content: Content) {
  const record = recordOf(facts, content);
  if (record === undefined) throw new Error(`no ${content.kind} ${content.id}`);
  return record;
}

function directOf(facts: Facts, content: Content, user: string): Role | undefined {
  return facts.permissionsOn(content).find((permission) => permission.user === user)?.permission;
}

function throughTeams(facts: Facts, content: Content, teams: string[]): { id: string; role: Role }[] {
  const given = facts
    .permissionsOn(content)
    .flatMap(({ team, permission }) =>
      team !== undefined && teams.includes(team) ? [{ id: team, role: permission }] : [],
    );
  return given.sort((left, right) => {
    if (left.role === right.role) return left.id < right.id ? -1 : 1;
    return highest([left.role, right.role]) === left.role ? -1 : 1;
  });
}
