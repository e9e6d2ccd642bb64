/** The listings of teams: those of a member (9), and those with a permission on a content (2 and 4). */
import type { ContentKey } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import { fold } from "../../domain/text.ts";
import { ladderFor } from "../directory/contents.ts";
import { TEAM_COLUMNS, type Team, teamOf, type TeamColumns, teamsInMemory } from "../directory/teams.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import { MEMBERS } from "../schema/set-names.ts";

export interface Membership {
  /** `owner` or `member`. */
  readonly role: string;
  readonly team: Team;
}

/**
 * Compares `position` with a single value, not a list: with a list, SQLite would read and sort all teams of the member.
 */
const OF_MEMBER = statement<[role: string, ...TeamColumns]>(
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
  const rows = await reading.read(OF_MEMBER, ...reading.asOf, member, after ?? "", fold(title), limit + 1);
  const entries = rows.map(([role, ...team]) => ({ role, team: teamOf(team) }));
  return pageOf(entries, limit, ({ team }) => team.id);
}

export interface TeamPermission {
  readonly role: Role;
  readonly team: Team;
}

/** The team grants on a content, by team id (endpoints 2 and 4); `undefined` if the content does not exist. */
export async function teamPermissions(
  reading: Reading,
  content: ContentKey,
  { after, limit }: PageRequest<string>,
): Promise<Page<TeamPermission, string> | undefined> {
  const [ladder, teams] = await Promise.all([ladderFor(reading, content), teamsInMemory(reading)]);
  if (ladder === undefined) return undefined;
  const entries: TeamPermission[] = [];
  for (const [id, role] of ladder[0].teams) {
    if (after !== undefined && id <= after) continue;
    const team = teams.get(id);
    if (team === undefined)
      throw new Error(`${content} has a permission of team ${id}, which does not exist.`);
    if (entries.push({ role, team }) > limit) break;
  }
  return pageOf(entries, limit, ({ team }) => team.id);
}
