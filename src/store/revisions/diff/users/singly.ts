/** Compares users with changed records of their own, one by one on all contents. */
import type { ContentKey } from "../../../../domain/content.ts";
import { DIRECTIONS } from "../../../listings/access-query/difference-of.ts";
import type { AccessChanges } from "../log/access-changes.ts";
import type { ChangedRecord } from "../log/log.ts";
import { type BranchDifference, MOST_CAUSES } from "../walk/walk.ts";
import { UserCauses } from "./user-causes.ts";
import type { UsersApart } from "./users-apart.ts";

/**
 * The largest number of users with changed records who are compared one by one. All other users are compared by sets.
 */
export interface Singly {
  /** The limit if only permissions and memberships of users changed: compared on the contents of these records. */
  readonly few: number;
  /** The limit otherwise: compared on all contents. */
  readonly many: number;
}

const FEW_USERS = 64;
const MANY_USERS = 5_000;
export const SINGLY: Singly = { few: FEW_USERS, many: MANY_USERS };

/**
 * The users with changed permissions or memberships, without those who joined, left or have another organization role.
 */
export function singleUsers({ permissions, memberships }: AccessChanges): string[] {
  return [...new Set([...permissions, ...memberships].flatMap(({ member }) => member ?? []))];
}

/** The difference of each content for the users who are compared one by one. */
export async function compareSingly(
  apart: UsersApart,
  changes: AccessChanges,
  users: readonly string[],
): Promise<Map<ContentKey, BranchDifference>> {
  const found = new Map<ContentKey, BranchDifference>();
  if (users.length === 0) return found;
  const trees = await apart.trees();
  const causes = new UserCauses(trees, changes);
  const counts = new Uint32Array(trees.keys.length * DIRECTIONS.length);
  const whys: (Set<ChangedRecord> | undefined)[] = [];
  for await (const user of apart.of(users)) {
    let causesAt: ReturnType<UserCauses["of"]> | undefined;
    user.compare((place, direction) => {
      const at = place * DIRECTIONS.length + DIRECTIONS.indexOf(direction);
      counts[at] = (counts[at] ?? 0) + 1;
      const why = (whys[place] ??= new Set());
      if (why.size >= MOST_CAUSES) return;
      causesAt ??= causes.of(user);
      for (const record of causesAt(place)) if (why.size < MOST_CAUSES) why.add(record);
    });
  }
  for (const [place, why] of whys.entries()) {
    const key = trees.keys[place];
    if (key === undefined || why === undefined) continue;
    const from = place * DIRECTIONS.length;
    found.set(key, { counts: [...counts.subarray(from, from + DIRECTIONS.length)], causes: why });
  }
  return found;
}

/** Adds the differences of the users in `others` to those in `to`. */
export function addDifferences(
  to: Map<ContentKey, BranchDifference>,
  others: Iterable<readonly [ContentKey, BranchDifference]>,
): void {
  for (const [key, { counts, causes }] of others) {
    const known = to.get(key);
    if (known === undefined) {
      to.set(key, { counts, causes });
      continue;
    }
    for (const [place, count] of counts.entries()) known.counts[place] = (known.counts[place] ?? 0) + count;
    for (const cause of causes) if (known.causes.size < MOST_CAUSES) known.causes.add(cause);
  }
}
