import type { AccessOrder } from "./list.ts";
import type { Opened } from "./list.ts";

const BLOCK = 1000;

/**
 * The key after which a page continues if the first `rows` rows of the list are skipped; `undefined` if no rows are
 * left.
 */
export async function keyAfter<Row>(
  opened: Opened<Row>,
  rows: number,
  order: AccessOrder,
): Promise<string | undefined> {
  if (opened.keyOf !== undefined) return opened.keyOf(rows - 1, order);
  let after: string | undefined;
  for (let left = rows; left > 0;) {
    // A page may have fewer rows than its limit although more rows follow.
    const { entries, next } = await opened.page({ after, limit: Math.min(left, BLOCK) }, order);
    if (next === undefined) return undefined;
    left -= entries.length;
    after = next;
  }
  return after;
}
