import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { fold } from "../../../domain/text.ts";
import { holds } from "../../schema/as-of.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS } from "../../schema/set-names.ts";
import { teamOf, type TeamRow, type Team, TEAM_COLUMNS } from "../../directory/teams.ts";

export interface Membership {
  /** `owner` or `member`. */
  readonly role: string;
  readonly team: Team;
}

/**
 * Compares `position` with a single value, not a list: with a list, SQLite would read and sort all teams of the member.
 */
const TEAMS = statement<[role: string, ...TeamRow]>(
  ({ contains }) => `
    SELECT mt.role, ${TEAM_COLUMNS} FROM team_member mt CROSS JOIN team t
      WHERE ${holds("mt")} AND mt.position = (
          SELECT r.position FROM place p CROSS JOIN member r
            WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = $3
              AND ${holds("r")} AND r.position = p.position LIMIT 1)
        AND mt.team > $4 AND ${holds("t")} AND t.id = mt.team AND ${contains("t.folded", "$5")}
      ORDER BY mt.team LIMIT $6`,
);

/** The teams of a member, by team id (endpoint 9). With `title`, only those whose case-folded title contains it. */
export async function memberTeams(
  reading: Reading,
  member: string,
  { after, limit }: PageRequest<string>,
  title: string,
): Promise<Page<Membership, string>> {
  const rows = await reading.read(TEAMS, ...reading.asOf, member, after ?? "", fold(title), limit + 1);
  const entries = rows.map(([role, ...team]) => ({ role, team: teamOf(team) }));
  return pageOf(entries, limit, ({ team }) => team.id);
}
