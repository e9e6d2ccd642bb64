import { type Role, ROLES } from "../../../domain/role.ts";
import { countSlots } from "../../../sets/words.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { chunksOf } from "../../../store/sets/chunks.ts";
import type { Reading } from "../../../store/reading.ts";
import { Turns } from "../../../store/engine/turns.ts";
import { spacesQuery } from "../../../store/listings/member-spaces.ts";
import type { Member } from "../../../store/directory/members.ts";
import type { AccessQuery } from "../../../store/listings/query.ts";

/** How many hold each effective role. */
export type RoleCounts = Readonly<Record<Role, number>>;

const KIND: CacheKind<RoleCounts> = { name: "role-counts", bytes: () => 100 };

/**
 * How many hold each effective role on what a query asks about, `name` within the revision; worked out once, however
 * many ask.
 */
export function roleCounts(reading: Reading, name: string, query: AccessQuery): Promise<RoleCounts> {
  return reading.cache.once(KIND, reading.at, name, async () => {
    const counts = { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
    const opened = await query.sets.open(reading);
    const turns = new Turns();
    for (const { number } of await chunksOf(reading, query.universe)) {
      if (!query.has(opened, number)) continue;
      for (const slots of await query.read(reading, opened, [number])) {
        const { results } = query.fold(slots);
        for (const [place, role] of ROLES.entries()) {
          const words = results[place + 1];
          if (words !== undefined) counts[role] += countSlots(words);
        }
      }
      await turns.give();
    }
    return counts;
  });
}

/** All that hold a role. */
export function totalOf(counts: RoleCounts): number {
  return ROLES.reduce((sum, role) => sum + counts[role], 0);
}

/** On how many spaces a member holds each effective role. */
export async function spacesByRole(reading: Reading, member: Member): Promise<RoleCounts> {
  return roleCounts(reading, `member/${member.id}`, await spacesQuery(reading, member));
}
