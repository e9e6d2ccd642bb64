import { FOREVER } from "./as-of.ts";

/** In place of the document of an ended row: the next one says the same, as where somebody was only given something. */
const AS_NEXT = "''";

/** SQL: the document of a row of table `member`; `$1` is the generation. */
export function memberDoc(alias: string): string {
  return `
    CASE WHEN ${alias}.doc <> ${AS_NEXT} THEN ${alias}.doc ELSE (
      SELECT n.doc FROM member n
        WHERE n.generation = $1 AND n.position = ${alias}.position AND n.until > ${alias}.until
          AND n.doc <> ${AS_NEXT} ORDER BY n.until LIMIT 1) END`;
}

/**
 * SQL: takes the documents out of the rows that ended at revision `$2` where those that hold now say the same. The revision is
 * written as a range: with an equation SQLite no longer sees that the index of ended rows has them.
 */
export const DROP_REPEATED = `
  UPDATE member SET doc = ${AS_NEXT}
    WHERE generation = $1 AND until >= $2 AND until <= $2 AND until < ${FOREVER} AND EXISTS (
      SELECT 1 FROM member n
        WHERE n.generation = member.generation AND n.position = member.position AND n.until = ${FOREVER}
          AND n.doc = member.doc)`;
