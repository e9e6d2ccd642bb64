import type { Place } from "../sets/chunks.ts";
import { nextRows, type NextRows, type PositionRows, positionRows, rowsAt } from "./position-rows.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS } from "../schema/set-names.ts";
import { memberDoc } from "../schema/member-doc.ts";

/** A member's columns in lists. */
export type MemberRow = [position: number, id: string, role: number, text: string, omitted: number];

/** The same, with teams and direct permissions, encoded by encoding.ts. */
export type ListedMemberRow = [...MemberRow, teams: string, grants: string];

/** The columns of a {@link MemberRow} after the position. */
const MEMBER_COLUMNS = `t.id, t.role, ${memberDoc("t")}, t.omitted`;

const ROWS: PositionRows<MemberRow> = positionRows(MEMBERS, MEMBER_COLUMNS, "member t");
const LISTED: PositionRows<ListedMemberRow> = positionRows(
  MEMBERS,
  `${MEMBER_COLUMNS}, t.teams, t.grants`,
  "member t",
);

/** The rows of the members at some positions, and possibly of others between them. */
export function membersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, MemberRow>> {
  return rowsAt(reading, ROWS, positions);
}

/** The same, with teams and direct permissions. */
export function listedMembersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, ListedMemberRow>> {
  return rowsAt(reading, LISTED, positions);
}

/** Up to `count` members of one chunk from an index on, with teams and direct permissions. */
export function nextMembers(
  reading: Reading,
  from: Place,
  count: number,
): Promise<NextRows<ListedMemberRow>> {
  return nextRows(reading, LISTED, from, "asc", count);
}
