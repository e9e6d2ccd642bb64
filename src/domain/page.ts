/** Asks for `limit` entries (1 to 1000) of a sorted listing, after the key `after`. */
export interface PageRequest<Key> {
  readonly after: Key | undefined;
  readonly limit: number;
}

export type Order = "asc" | "desc";

/** `next` is the key after which the list continues; absent on the last page (docs/api.md). */
export interface Page<Entry, Key> {
  readonly entries: readonly Entry[];
  readonly next?: Key;
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

/** `read` has up to `limit + 1` entries. The extra one is not returned: it shows that there is another page. */
export function pageOf<Entry, Key>(
  read: readonly Entry[],
  limit: number,
  key: (entry: Entry) => Key,
): Page<Entry, Key> {
  const last = read[limit - 1];
  if (read.length <= limit || last === undefined) return { entries: read };
  return { entries: read.slice(0, limit), next: key(last) };
}
