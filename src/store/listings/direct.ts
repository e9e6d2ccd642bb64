import type { ContentKey } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { rank, type Role, roleOf, ROLES } from "../../domain/role.ts";
import { holds } from "../schema/as-of.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { teamOf, type TeamRow, type Team, TEAM_COLUMNS } from "../directory/teams.ts";
import { MEMBERS, memberSets } from "../schema/set-names.ts";
import { headsOf } from "../sets/set-store.ts";
import { effectiveMembers, type EffectiveEntry, membersWithRanks } from "./effective.ts";
import { givenOn, isGivenKnown } from "./access-query/subject.ts";

export interface TeamPermission {
  readonly role: Role;
  readonly team: Team;
}

/** The direct permissions on a content, by user id (endpoints 1 and 5). */
export async function userPermissions(
  reading: Reading,
  content: ContentKey,
  request: PageRequest<string>,
): Promise<Page<EffectiveEntry, string>> {
  const isMany = reading.remote || isGivenKnown(reading, content);
  const few = isMany ? undefined : await fewUsers(reading, content);
  return few === undefined
    ? effectiveMembers(reading, givenOn(reading, content), request)
    : membersWithRanks(reading, few, request);
}

/**
 * The rank of each user's direct permission on a content, by position; `undefined` if a set is large. The result is not
 * cached, because reading it again costs no more than caching a list for every content.
 */
async function fewUsers(
  reading: Reading,
  content: ContentKey,
): Promise<ReadonlyMap<number, number> | undefined> {
  const names = ROLES.map((role) => memberSets.given(content, role));
  const heads = await headsOf(reading, MEMBERS, names);
  const ranks = new Map<number, number>();
  for (const [index, head] of heads.entries()) {
    if ("chunks" in head) return undefined;
    for (const position of head.positions) ranks.set(position, rank(ROLES[index] ?? "read"));
  }
  return ranks;
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
