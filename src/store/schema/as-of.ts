/**
 * Rows that hold from revision `since` up to revision `until`. Statements that read them as of a revision have the
 * generation as `$1` and the revision as `$2`.
 */
import type { UpTo } from "../engine/engine.ts";

/** The `until` of a current row; greater than every revision. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** SQL: whether a row holds at the revision. At most one row per key holds. */
export function holds(alias: string): string {
  return `${alias}.generation = $1 AND ${alias}.until > $2 AND ${alias}.since <= $2`;
}

export function revisionIn(upTo: UpTo): number {
  if ("only" in upTo) return upTo.only;
  return "until" in upTo ? upTo.until : upTo.revision;
}

/**
 * A condition: the rows of one generation up to a revision. `generation` and `revision` are placeholders such as `$1`.
 */
export function rowsUpTo(upTo: UpTo | undefined, generation: string, revision: string): string {
  if (upTo === undefined) return `generation = ${generation}`;
  if ("only" in upTo) return `generation = ${generation} AND revision = ${revision}`;
  if ("revision" in upTo) return `generation = ${generation} AND revision <= ${revision}`;
  // The second condition makes the partial index usable.
  return `generation = ${generation} AND until <= ${revision} AND until < ${FOREVER}`;
}
