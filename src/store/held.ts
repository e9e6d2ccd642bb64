/** What a member holds directly on contents, read together with these: for databases where each read is a wait. */
import type { ContentKey } from "../domain/content.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { decodeContent } from "./codes.ts";
import type { ContentRow } from "./levels.ts";

/** A column: the role that a member holds directly on a content, both named by SQL; `$1` is the snapshot. */
export function held(member: string, content: string): string {
  return `(SELECT p.role FROM posting p
    WHERE p.snapshot = $1 AND p.source = 'direct/' || ${content} AND p.member = ${member})`;
}

/** The contents of rows that begin with such a column; what is held goes into `direct`. */
export function takeHeld(
  rows: readonly [held: number | null, ...ContentRow][],
  direct: Map<ContentKey, Role>,
): ContentRow[] {
  return rows.map(([role, ...row]) => {
    if (role !== null) direct.set(decodeContent(row[0]), roleOf(role));
    return row;
  });
}
