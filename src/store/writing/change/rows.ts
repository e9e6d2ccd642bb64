/** All tables whose changed rows a change keeps in memory. */
import * as tables from "./tables/tables.ts";
import type { Writing } from "./writing.ts";

/** Writes the changed rows of all tables. */
export async function flushRows(writing: Writing): Promise<void> {
  for (const table of Object.values(tables)) await table.flush(writing);
}

/** Forgets the rows and positions that were read before a split, because the split has moved rows. */
export function forgetMoved(writing: Writing): void {
  for (const table of Object.values(tables)) table.forget(writing);
  for (const positions of Object.values(writing.positions)) positions.clear();
}
