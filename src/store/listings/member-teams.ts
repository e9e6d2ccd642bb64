import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { fold } from "../../domain/title.ts";
import { statement } from "../engine.ts";
import type { Reading } from "../reading.ts";
import { teamOf, type TeamRow, type Team, TEAM_COLUMNS } from "../teams.ts";

export interface Membership {
  /** `owner` or `member`. */
  readonly role: string;
  readonly team: Team;
}

const TEAMS = statement<[role: string, ...TeamRow]>(
  ({ contains }) => `
    SELECT mt.role, ${TEAM_COLUMNS}
      FROM member_team mt JOIN team t ON t.snapshot = mt.snapshot AND t.id = mt.team
      WHERE mt.snapshot = $1 AND t.snapshot = $1 AND mt.member = $2 AND mt.team > $3
        AND ${contains("t.folded", "$4")}
      ORDER BY mt.team LIMIT $5`,
);

/** The teams a member belongs to, by team id; only those whose folded title contains the folded `title` (endpoint 9). */
export async function memberTeams(
  reading: Reading,
  member: string,
  { after, limit }: PageRequest<string>,
  title: string,
): Promise<Page<Membership, string>> {
  const rows = await reading.read(TEAMS, reading.snapshot, member, after ?? "", fold(title), limit + 1);
  const entries = rows.map(([role, ...team]) => ({ role, team: teamOf(team) }));
  return pageOf(entries, limit, ({ team }) => team.id);
}
