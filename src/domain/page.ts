/** The part of a sorted listing to read: `limit` entries (1 to 1000) after the key `after`. */
export interface PageRequest<Key> {
  readonly after: Key | undefined;
  readonly limit: number;
}

/**
 * Entries of a listing. `next` is the key after which the list continues; absent on the last page (contract, section
 * 5).
 */
export interface Page<Entry, Key> {
  readonly entries: readonly Entry[];
  readonly next?: Key;
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

/**
 * Makes a page of entries that were read with a limit one higher: the extra entry only shows that there is
 * another page.
 */
export function pageOf<Entry, Key>(
  read: readonly Entry[],
  limit: number,
  key: (entry: Entry) => Key,
): Page<Entry, Key> {
  const last = read[limit - 1];
  if (read.length <= limit || last === undefined) return { entries: read };
  return { entries: read.slice(0, limit), next: key(last) };
}
