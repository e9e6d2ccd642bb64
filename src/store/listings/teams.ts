/** The listings of teams: those of a member (9), and those with a permission on a content (2 and 4). */
import type { ContentKey } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { fold } from "../../domain/text.ts";
import { ladderFor } from "../directory/contents.ts";
import { isMember } from "../directory/members.ts";
import { TEAM_COLUMNS, type Team, teamOf, type TeamColumns } from "../directory/teams.ts";
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

/**
 * The teams of a member, by team id (endpoint 9); `undefined` for a user who is not a member. With `title`, only those
 * whose case-folded title contains it.
 */
export async function memberTeams(
  reading: Reading,
  member: string,
  { after, limit }: PageRequest<string>,
  title: string,
): Promise<Page<Membership, string> | undefined> {
  const rows = await reading.read(OF_MEMBER, ...reading.asOf, member, after ?? "", fold(title), limit + 1);
  if (rows.length === 0 && !(await isMember(reading, member))) return undefined;
  const entries = rows.map(([role, ...team]) => ({ role, team: teamOf(team) }));
  return pageOf(entries, limit, ({ team }) => team.id);
}

export interface TeamPermission {
  readonly role: Role;
  readonly team: Team;
}

const ON_CONTENT = statement<[role: number, ...TeamColumns]>(
  () => `
    SELECT g.role, ${TEAM_COLUMNS} FROM team_grant g CROSS JOIN team t
      WHERE ${holds("g")} AND g.content = $3 AND g.team > $4 AND ${holds("t")} AND t.id = g.team
      ORDER BY g.team LIMIT $5`,
);

/** The team grants on a content, by team id (endpoints 2 and 4); `undefined` if the content does not exist. */
export async function teamPermissions(
  reading: Reading,
  content: ContentKey,
  { after, limit }: PageRequest<string>,
): Promise<Page<TeamPermission, string> | undefined> {
  const rows = await reading.read(ON_CONTENT, ...reading.asOf, content, after ?? "", limit + 1);
  if (rows.length === 0 && (await ladderFor(reading, content)) === undefined) return undefined;
  const entries = rows.map(([role, ...team]) => ({ role: roleOf(role), team: teamOf(team) }));
  return pageOf(entries, limit, ({ team }) => team.id);
}
