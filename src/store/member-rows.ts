import { holds } from "./as-of.ts";
import { statement } from "./engine.ts";
import type { Reading } from "./reading.ts";

/** A member as lists read them. */
export type MemberRow = [position: number, id: string, role: number, text: string, omitted: number];

/** The columns of a {@link MemberRow}, of table `member` under the name `m`. */
export const MEMBER_COLUMNS = "m.position, m.id, m.role, m.doc, m.omitted";

const AT = statement<MemberRow>(
  ({ numbers }) => `
    SELECT ${MEMBER_COLUMNS} FROM ${numbers("$3", "wanted")} CROSS JOIN member m
      WHERE ${holds("m")} AND m.position = wanted.value`,
);
const BETWEEN = statement<MemberRow>(
  () => `
    SELECT ${MEMBER_COLUMNS} FROM member m
      WHERE ${holds("m")} AND m.position >= $3 AND m.position <= $4 ORDER BY m.position`,
);

/** Where so many positions in a row hold one that is wanted, they are read as one stretch: a look-up costs as much. */
const DENSE = 2;

/** The members at some positions, and perhaps others between them. */
export async function membersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, MemberRow>> {
  if (positions.length === 0) return new Map();
  const first = Math.min(...positions);
  const last = Math.max(...positions);
  const rows =
    last - first < DENSE * positions.length
      ? await reading.read(BETWEEN, ...reading.asOf, first, last)
      : await reading.read(AT, ...reading.asOf, positions);
  return new Map(rows.map((row) => [row[0], row]));
}
