import { type PositionRows, positionRows, rowsAt } from "./position-rows.ts";
import type { Reading } from "../reading.ts";
import { memberDoc } from "../schema/as-of.ts";

export type MemberColumns = [position: number, id: string, role: number, text: string, omitted: number];

/** SQL: the columns of a {@link MemberColumns} after the position. */
const MEMBER_COLUMNS = `t.id, t.role, ${memberDoc("t")}, t.omitted`;

const ROWS: PositionRows<MemberColumns> = positionRows(MEMBER_COLUMNS, "member");

/** The members at the given positions, by position. Members at positions in between may be included. */
export function membersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, MemberColumns>> {
  return rowsAt(reading, ROWS, positions);
}
