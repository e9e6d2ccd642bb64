/**
 * Rows that hold from one revision until another. Statements that read them take the generation as `$1` and the
 * revision to read as of as `$2`.
 */

/** The `until` of a row that still holds: greater than every revision. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** SQL: whether a row holds at the revision. At most one row of a key does. */
export function holds(alias: string): string {
  return `${alias}.generation = $1 AND ${alias}.until > $2 AND ${alias}.since <= $2`;
}
