/** Rows for a table that an import fills: a select, and the columns that sort them by the table's key. */
export type FillPart = SortedPart | PartAlong;

interface SortedPart {
  readonly select: string;
  readonly order: string;
}

/**
 * A select over a staged table that is already sorted by the key. An engine may run it for a range of the staged rows
 * at a time, so that nothing is sorted or copied in between.
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

/** SQL: all rows of a part. */
export function wholeSelect(part: FillPart): string {
  return isAlong(part) ? part.select(part.along) : part.select;
}

/** SQL: all rows of a part, sorted. */
export function orderedSelect(part: FillPart): string {
  return `${wholeSelect(part)} ORDER BY ${part.order}`;
}
