/**
 * Rows that hold from revision `since` up to revision `until`. Statements that read them as of a revision have the
 * generation as `$1` and the revision as `$2`.
 */

/** The `until` of a current row; greater than every revision. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** SQL: whether a row holds at the revision. At most one row per key holds. */
export function holds(alias: string): string {
  return `${alias}.generation = $1 AND ${alias}.until > $2 AND ${alias}.since <= $2`;
}
