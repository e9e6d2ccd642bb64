import { FOREVER } from "./as-of.ts";

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
