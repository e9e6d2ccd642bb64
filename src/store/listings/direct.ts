import type { ContentKey } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { holds } from "../schema/as-of.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { teamOf, type TeamRow, type Team, TEAM_COLUMNS } from "../directory/teams.ts";

export interface TeamPermission {
  readonly role: Role;
  readonly team: Team;
}

const TEAMS = statement<[role: number, ...TeamRow]>(
  () => `
    SELECT g.role, ${TEAM_COLUMNS} FROM team_grant g CROSS JOIN team t
      WHERE ${holds("g")} AND ${holds("t")} AND g.content = $3 AND g.team > $4 AND t.id = g.team
      ORDER BY g.team LIMIT $5`,
);

/** The team grants on a content, by team id (endpoints 2 and 4). */
export async function teamPermissions(
  reading: Reading,
  content: ContentKey,
  { after, limit }: PageRequest<string>,
): Promise<Page<TeamPermission, string>> {
  const rows = await reading.read(TEAMS, ...reading.asOf, content, after ?? "", limit + 1);
  const entries = rows.map(([role, ...team]) => ({ role: roleOf(role), team: teamOf(team) }));
  return pageOf(entries, limit, ({ team }) => team.id);
}
