import { ROLES } from "../../../domain/role.ts";
import type { Member } from "../../../store/directory/members.ts";
import { roleCounts, type RoleCounts } from "../../../store/listings/counts.ts";
import { accessOf } from "../../../store/listings/subject.ts";
import type { Reading } from "../../../store/reading.ts";

export function totalOf(counts: RoleCounts): number {
  return ROLES.reduce((sum, role) => sum + counts[role], 0);
}

/** The number of spaces on which a member has each effective role. */
export async function spacesByRole(reading: Reading, member: Member): Promise<RoleCounts> {
  return roleCounts(reading, `member/${member.id}`, await accessOf(reading, member));
}
