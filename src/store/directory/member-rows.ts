import { type PositionRows, positionRows, rowsAt } from "./position-rows.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS } from "../schema/set-names.ts";

/** A member as lists read them. */
export type MemberRow = [position: number, id: string, role: number, text: string, omitted: number];

/** The columns of a {@link MemberRow} behind the position. */
export const MEMBER_COLUMNS = "t.id, t.role, t.doc, t.omitted";

const ROWS: PositionRows<MemberRow> = positionRows(MEMBERS, MEMBER_COLUMNS, "member t");

/** The members at some positions, and perhaps others between them. */
export function membersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, MemberRow>> {
  return rowsAt(reading, ROWS, positions);
}
