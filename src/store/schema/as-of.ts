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

/**
 * Stored in an ended row instead of its document, if the member's next row has the same document, for example after a
 * change of permissions only.
 */
const AS_NEXT = "''";

/** SQL: the document of a row of table `member`. `$1` is the generation. */
export function memberDoc(alias: string): string {
  return `
    CASE WHEN ${alias}.doc <> ${AS_NEXT} THEN ${alias}.doc ELSE (
      SELECT n.doc FROM member n
        WHERE n.generation = $1 AND n.position = ${alias}.position AND n.until > ${alias}.until
          AND n.doc <> ${AS_NEXT} ORDER BY n.until LIMIT 1) END`;
}

/**
 * SQL: replaces the documents of rows that ended at revision `$2` by {@link AS_NEXT} if the current row has the same
 * document. The condition on `until` is a range, because SQLite does not use the index of ended rows for an equality.
 */
export const DROP_REPEATED = `
  UPDATE member SET doc = ${AS_NEXT}
    WHERE generation = $1 AND until >= $2 AND until <= $2 AND until < ${FOREVER} AND EXISTS (
      SELECT 1 FROM member n
        WHERE n.generation = member.generation AND n.position = member.position AND n.until = ${FOREVER}
          AND n.doc = member.doc)`;
