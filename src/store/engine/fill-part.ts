/**
 * Rows that an import inserts into a table: a select, and the columns by which to sort the rows in primary key order.
 */
export type FillPart = SortedPart | PartAlong;

interface SortedPart {
  readonly select: string;
  readonly order: string;
}

/**
 * A select over a staged table that is already sorted by the key. An engine may run the select for one range of staged
 * rows at a time, and then neither sorts nor copies rows.
 */
export interface PartAlong {
  readonly along: string;
  /** Returns the select. `rows` is its first FROM item, without an alias: the staged table or a range of it. */
  readonly select: (rows: string) => string;
  readonly order: string;
}

export function isAlong(part: FillPart): part is PartAlong {
  return "along" in part;
}

export function wholeSelect(part: FillPart): string {
  return isAlong(part) ? part.select(part.along) : part.select;
}

export function orderedSelect(part: FillPart): string {
  return `${wholeSelect(part)} ORDER BY ${part.order}`;
}
