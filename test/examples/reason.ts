import { ancestry, decisionOf, type TeamRole, theirs } from "../oracle/effective.ts";
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
  /** The site that decided for the space `at`. */
  site?: string;
  /** The permissions of the user's teams on `at` or on `site`, strongest first, then by team id. */
  teams: readonly TeamRole[];
  /** Whether a collection above `at` has a permission of the user or of one of their teams. */
  givenAbove: boolean;
}

/**
 * Decides by docs/permissions.md for one user, and collects what the sentence of docs/permissions.md names. Throws if
 * the content does not exist.
 */
export function reasonOf(facts: Facts, user: string, content: Content): Reason {
  const all = ancestry(facts, content);
  const { rule: name, role, at, below, site, level, teams } = decisionOf(facts, user, content);
  const rules = {
    stranger: "1",
    admin: "1",
    direct: "2a",
    team: "2b",
    level: level === null ? "2d" : "2c",
    organization: "3",
  } as const;
  const givenAbove =
    at !== undefined &&
    all.slice(below + 1).some((above) => {
      const given = theirs(facts, user, facts.permissionsOn(above));
      return given.direct !== undefined || given.teams.length > 0;
    });
  return {
    rule: rules[name],
    role,
    teams,
    givenAbove,
    ...(at === undefined ? {} : { at }),
    ...(site === undefined ? {} : { site }),
  };
}
