import { type Role, ROLES } from "../../../domain/role.ts";
import { spacesQuery } from "../../../store/listings/member/member-spaces.ts";
import type { Member } from "../../../store/directory/members.ts";
import type { AccessQuery } from "../../../store/listings/access-query/query.ts";
import type { Reading } from "../../../store/reading.ts";
import { chunkCountsOf } from "./chunk-counts.ts";

export type RoleCounts = Readonly<Record<Role, number>>;

/** The number of results of an access query with each role. `name` identifies the query within the revision. */
export async function roleCounts(reading: Reading, name: string, query: AccessQuery): Promise<RoleCounts> {
  return (await chunkCountsOf(reading, name, query)).totals;
}

export function totalOf(counts: RoleCounts): number {
  return ROLES.reduce((sum, role) => sum + counts[role], 0);
}

/** The number of spaces on which a member has each effective role. */
export async function spacesByRole(reading: Reading, member: Member): Promise<RoleCounts> {
  return roleCounts(reading, `member/${member.id}`, await spacesQuery(reading, member));
}
