/** Some rows of a table that an import fills: a select, and the columns that sort its rows by the table's key. */
export type FillPart = SortedPart | PartAlong;

interface SortedPart {
  readonly select: string;
  readonly order: string;
}

/**
 * A select that goes along a staged table whose rows were created in this very order. An engine may run it for some of
 * these rows at a time, so that nothing is sorted or copied in between.
 */
export interface PartAlong {
  readonly along: string;
  /** `rows` is a FROM item without an alias: the staged table or some of its rows. The select begins with it. */
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

/** SQL: the same, in their order. */
export function orderedSelect(part: FillPart): string {
  return `${wholeSelect(part)} ORDER BY ${part.order}`;
}
