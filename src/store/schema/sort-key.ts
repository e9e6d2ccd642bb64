/** Milliseconds from the start of year 0 to 1970: added, so that no creation date is negative. */
const YEAR_ZERO = 62_167_219_200_000;

/**
 * A space's place in a list that is sorted by creation, then id, as one text: so it is a key like an id is, in
 * tables and in page identifiers. `createdAt` is an ISO 8601 date of the years 0 to 9999.
 */
export function positionOf(createdAt: string, space: string): string {
  return `${String(Date.parse(createdAt) + YEAR_ZERO).padStart(15, "0")}/${space}`;
}

/** The id of the space at a position. */
export function spaceAt(position: string): string {
  return position.slice(position.indexOf("/") + 1);
}
