import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Role, ROLES } from "../../domain/role.ts";
import { countSlots } from "../../sets/words.ts";
import type { CacheKind } from "../cache.ts";
import { chunksOf } from "../chunks.ts";
import type { Reading } from "../reading.ts";
import type { AccessQuery } from "./query.ts";

/** How many hold each effective role. */
export type RoleCounts = Readonly<Record<Role, number>>;

const KIND: CacheKind<RoleCounts> = { name: "role-counts", bytes: () => 100 };

/** Others get their turn after so many milliseconds. */
const TURN = 4;

/**
 * How many hold each effective role on what a query asks about, `name` within the revision; worked out once, however
 * many ask.
 */
export function roleCounts(reading: Reading, name: string, query: AccessQuery): Promise<RoleCounts> {
  return reading.cache.once(KIND, reading.at, name, async () => {
    const counts = { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
    let begun = performance.now();
    for (const { number } of await chunksOf(reading, query.universe)) {
      if (!query.has(number)) continue;
      const found = query.fold(await query.read(reading, number));
      for (const [place, role] of ROLES.entries()) {
        const words = found[place + 1];
        if (words !== undefined) counts[role] += countSlots(words);
      }
      if (performance.now() - begun < TURN) continue;
      await yieldToEventLoop();
      begun = performance.now();
    }
    return counts;
  });
}

/** All that hold a role. */
export function totalOf(counts: RoleCounts): number {
  return ROLES.reduce((sum, role) => sum + counts[role], 0);
}
