/** Compares users with changed records of their own, one by one on all contents. */
import type { ContentKey } from "../../../../domain/content.ts";
import { DIRECTIONS } from "../../../../domain/difference.ts";
import type { AccessChanges } from "../log/access-changes.ts";
import { FirstCauses } from "../log/causes.ts";
import type { BranchDifference } from "../walk/walk.ts";
import { userCauses } from "./user-causes.ts";
import type { UsersApart } from "./users-apart.ts";

/** The maximum number of users who are compared one by one. All other users are compared by sets. */
export interface SingleUserLimits {
  /**
   * The limit if only permissions and memberships of users changed. These users are compared on the affected contents.
   */
  readonly few: number;
  /** The limit in all other cases. These users are compared on all contents. */
  readonly many: number;
}

const FEW_USERS = 64;
const MANY_USERS = 5_000;
export const SINGLE_USER_LIMITS: SingleUserLimits = { few: FEW_USERS, many: MANY_USERS };

/**
 * The users with changed permissions or memberships, without those who joined or left or have another organization
 * role.
 */
export function singleUsers({ permissions, memberships }: AccessChanges): string[] {
  return [...new Set([...permissions, ...memberships].flatMap(({ member }) => member ?? []))];
}

export async function compareSingly(
  apart: UsersApart,
  changes: AccessChanges,
  users: readonly string[],
): Promise<Map<ContentKey, BranchDifference>> {
  const found = new Map<ContentKey, BranchDifference>();
  if (users.length === 0) return found;
  const trees = await apart.trees();
  const counts = new Uint32Array(trees.keys.length * DIRECTIONS.length);
  const causes: (FirstCauses | undefined)[] = [];
  for await (const user of apart.of(users)) {
    const causesAt = userCauses(apart.sides, trees, changes, user);
    user.compare((index, direction) => {
      const at = index * DIRECTIONS.length + DIRECTIONS.indexOf(direction);
      counts[at] = (counts[at] ?? 0) + 1;
      const known = (causes[index] ??= new FirstCauses());
      for (const record of causesAt(index)) known.add(record);
    });
  }
  for (const [index, known] of causes.entries()) {
    const key = trees.keys[index];
    if (key === undefined || known === undefined) continue;
    const from = index * DIRECTIONS.length;
    found.set(key, { counts: [...counts.subarray(from, from + DIRECTIONS.length)], causes: known });
  }
  return found;
}

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
    for (const [index, count] of counts.entries()) known.counts[index] = (known.counts[index] ?? 0) + count;
    for (const cause of causes.all) known.causes.add(cause);
  }
}
