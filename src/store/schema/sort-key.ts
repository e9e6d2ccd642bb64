/** Milliseconds from year 0 to 1970. Added to a time of creation, so that the sum is not negative. */
const YEAR_ZERO = 62_167_219_200_000;

/**
 * The sort key of a space: time of creation, then id, as one text. So tables and page identifiers can use it like an
 * id. `createdAt` is an ISO 8601 date of the years 0 to 9999.
 */
export function sortKeyOf(createdAt: string, space: string): string {
  return `${String(Date.parse(createdAt) + YEAR_ZERO).padStart(15, "0")}/${space}`;
}

/** The id of the space with this sort key. */
export function spaceOfKey(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}
