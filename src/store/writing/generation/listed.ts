/** SQL for the lists of teams and permissions in the rows of members and spaces, from the staged tables. */
import { MANY, MOST_LISTED } from "../../schema/encoding.ts";

interface List {
  readonly column: string;
  /** The whole list as one text; null if the list is empty. */
  readonly joined: string;
  readonly from: (alias: string) => string;
}

const TEAMS: List = {
  column: "teams",
  joined: "string_agg(tm.team, ' ' ORDER BY tm.team)",
  from: (p) => `staged_team_member tm CROSS JOIN staged_changed_team t
    WHERE tm.member = ${p}.member AND t.id = tm.team AND t.generation = ${p}.generation`,
};
const GRANTS: List = {
  column: "grants",
  joined: "string_agg(g.content || ' ' || CAST(g.role AS text), ',' ORDER BY g.content)",
  from: (p) => `staged_user_permission g CROSS JOIN staged_changed_content c
    WHERE g.member = ${p}.member AND c.id = g.content AND c.generation = ${p}.generation`,
};
const TEAMS_ON: List = {
  column: "teams",
  joined: "string_agg(g.team || ' ' || CAST(g.role AS text), ',' ORDER BY g.team)",
  from: (p) => `staged_team_permission g WHERE g.content = ${p}.id`,
};

/** The list as a row stores it: {@link MANY} if it is too long. */
function listed({ joined, from }: List, alias: string): string {
  return `(
    SELECT CASE WHEN count(*) > ${MOST_LISTED} THEN '${MANY}' ELSE coalesce(${joined}, '') END FROM ${from(alias)})`;
}

/** The complete list, even if the row has {@link MANY}. */
function all({ column, joined, from }: List, alias: string): string {
  return `CASE WHEN ${alias}.${column} <> '${MANY}' THEN ${alias}.${column} ELSE (SELECT ${joined} FROM ${from(alias)}) END`;
}

export const listedTeams = (alias: string) => listed(TEAMS, alias);
export const listedTeamsOn = (alias: string) => listed(TEAMS_ON, alias);
export const listedGrants = (alias: string) => listed(GRANTS, alias);
export const allTeams = (alias: string) => all(TEAMS, alias);
export const allGrants = (alias: string) => all(GRANTS, alias);
