/**
 * Rows that hold from one revision up to another. Statements that read them take the generation as `$1` and the
 * revision as `$2`.
 */

/** The `until` of a current row: greater than every revision. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** SQL: whether a row holds at the revision. At most one row per key does. */
export function holds(alias: string): string {
  return `${alias}.generation = $1 AND ${alias}.until > $2 AND ${alias}.since <= $2`;
}
