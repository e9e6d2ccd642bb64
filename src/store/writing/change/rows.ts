/** The rows of all tables that a change keeps in memory. */
import * as tables from "./tables/tables.ts";
import type { Writing } from "./writing.ts";

/** Writes all changed rows. */
export async function flushRows(writing: Writing): Promise<void> {
  for (const table of Object.values(tables)) await table.flush(writing);
}

/** Forgets the rows and positions that a split has moved. */
export function forgetMoved(writing: Writing): void {
  for (const table of Object.values(tables)) table.forget(writing);
  for (const places of Object.values(writing.places)) places.clear();
}
