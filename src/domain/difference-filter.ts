/** Which differences of effective roles are wanted. */
import type { ChangedRecord } from "./changed-record.ts";
import type { Direction } from "./difference.ts";
import { rank, type Role } from "./role.ts";

export interface DifferenceFilter {
  /** Only differences from or to exactly this role. With `least`, the same role must pass both. */
  readonly role?: Role | undefined;
  /** Only differences in which one of the two roles is this one or a stronger one. */
  readonly least?: Role | undefined;
  /** Only differences in these directions. By default, in all directions. */
  readonly directions?: ReadonlySet<Direction> | undefined;
  /** Only differences of users who are guests at one of the two revisions. */
  readonly guests?: boolean | undefined;
  /** Only differences that may have been caused by a changed record for which this returns true. */
  readonly causedBy?: ((record: ChangedRecord) => boolean) | undefined;
  /** Of pairs: only those that the summary counts on their content. */
  readonly counted?: boolean | undefined;
}

/** The direction of a difference between two ranks, where 0 means no access; `undefined` if the ranks are equal. */
export function directionOf(before: number, after: number): Direction | undefined {
  if (before === after) return undefined;
  if (before === 0) return "gained";
  if (after === 0) return "lost";
  return before < after ? "raised" : "lowered";
}

/**
 * The direction of a difference, if the difference passes the filter. `isGuest`: whether the user is a guest at one of
 * the two revisions.
 */
export function keptDirection(
  filter: DifferenceFilter,
  before: number,
  after: number,
  isGuest: boolean,
): Direction | undefined {
  const direction = directionOf(before, after);
  if (direction === undefined || !keepsDirection(filter, direction)) return undefined;
  if (filter.guests === true && !isGuest) return undefined;
  return isWanted(filter, before) || isWanted(filter, after) ? direction : undefined;
}

function isWanted({ role, least }: DifferenceFilter, held: number): boolean {
  return (role === undefined || held === rank(role)) && (least === undefined || held >= rank(least));
}

/** Whether a filter by role, direction or guests excludes some differences. */
export function isOfSome({ role, least, directions, guests }: DifferenceFilter): boolean {
  return role !== undefined || least !== undefined || directions !== undefined || guests === true;
}

export function keepsDirection({ directions }: DifferenceFilter, direction: Direction): boolean {
  return directions === undefined || directions.has(direction);
}
