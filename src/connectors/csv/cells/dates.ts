import { normaliseDate } from "../../../domain/date.ts";
import type { Notes } from "../sheet/notes.ts";

/** Records without a date get this one: with the current time, every import would change them. */
const BEGINNING = "1970-01-01T00:00:00.000Z";

export const DATE_ACCEPTS = "accepted: a date such as 2025-03-01 or 2025-03-01T09:30:00Z, or nothing";

/** A date as a snapshot has it. A day without a time begins at 00:00 UTC. `undefined` for a blank or invalid cell. */
export function readDate(cell: string): string | undefined {
  return normaliseDate(/^\d{4}-\d\d-\d\d$/.test(cell) ? `${cell}T00:00:00Z` : cell);
}

/** A missing date becomes 1970-01-01, with a note. */
export function dateOr(date: string | undefined, what: string, title: string, notes: Notes): string {
  if (date === undefined) notes.add(`${what} without a date of creation, given 1970-01-01`, title);
  return date ?? BEGINNING;
}
