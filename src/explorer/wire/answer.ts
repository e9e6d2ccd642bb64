/**
 * The protocol between the explorer's page and its server, one file per endpoint. Types only, imported by both sides.
 *
 * - Only GET. Ids are in the query, because a user's id may be any text. An unknown parameter, a repeated one, and an
 *   empty `kind`, `tab`, `role`, `order`, `limit`, `page` or `revision` are a 400, as in `/v1` (contract, section 6);
 *   an empty `q` is no filter.
 * - Authorization follows `/v1` (contract, section 7); each query names its rule. "See" means: an organization token,
 *   an organization admin, or an effective role on the content.
 * - Errors are those of `/v1`: `{"error": {"code", "message"}}` and their headers.
 * - Optional fields without a value are absent. Dates are UTC with three fraction digits.
 */

/** A revision's number, and the time of its import. */
export interface Revision {
  readonly revision: number;
  readonly importedAt: string;
}

/**
 * The first fields of every answer: the revision from which it was read, and the current one if that differs. The page
 * shows one revision at a time, and ignores answers of any other.
 */
export interface Stamp extends Revision {
  readonly newer?: Revision;
}

/**
 * For all queries except `me`: the revision to read from (contract, section 5). The current revision is read instead if
 * none is given, if the given one is no longer readable, or if the caller does not see everything; the answer's
 * `revision` says which one was read. Authorization uses the current revision.
 */
export interface AtRevision {
  readonly revision?: number;
  /**
   * Instead of `revision`, also for `me`: WHEN, as under `/at/WHEN` (contract, section 10). Organization tokens and
   * organization admins may list everything that existed then, other callers what they may list now.
   */
  readonly at?: string;
}

/** Pages as in `/v1`: `limit` from 1 to 1000, by default 100; `page` from the previous answer. */
export interface Paged extends AtRevision {
  readonly limit?: number;
  readonly page?: string;
}

/** A page of a list, flat as in `/v1`: no `next` on the last page. */
export interface Listing<Item> extends Stamp {
  readonly next?: { readonly page: string };
  readonly count: number;
  readonly items: readonly Item[];
  /** The number of rows of the whole list, if it is known without reading the list. */
  readonly total?: number;
}
