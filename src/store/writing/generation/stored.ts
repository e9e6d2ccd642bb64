/**
 * SQL for the stored rows `s` of organization `o` that hold now. Statements of an import compare them with staged
 * rows `r`.
 */
import { FOREVER } from "../../schema/as-of.ts";
import { MEMBERS } from "../../schema/set-names.ts";

/** Whether a row holds now. */
export function isStored(alias: string): string {
  return `${alias}.generation = o.stored AND ${alias}.until = ${FOREVER}`;
}

/** A FROM item with its condition: the row of a table by its key. */
export function storedRow(table: string, key: string): string {
  return `${table} s WHERE ${isStored("s")} AND ${key}`;
}

/** The same for a table whose key begins with a member's position: by any position that the user's id has had. */
export function storedOfMember(table: string, user: string, key = "true"): string {
  return `place p CROSS JOIN ${table} s
    WHERE p.generation = o.stored AND p.universe = ${MEMBERS} AND p.key = ${user}
      AND ${isStored("s")} AND s.position = p.position AND ${key}`;
}
