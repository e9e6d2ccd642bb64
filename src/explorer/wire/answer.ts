/**
 * The protocol between the explorer's page and its server. Types only, imported by both sides.
 *
 * - Only GET. Ids are query parameters, because a user's id may be any text. An unknown parameter, a repeated one, and
 *   an empty `kind`, `tab`, `role`, `order`, `limit`, `page` or `revision` get a 400, as in `/v1` (contract, section
 *   6). An empty `q` is no filter.
 * - Authorization follows `/v1` (contract, section 7); each query names its rule. Callers with an organization token
 *   and organization admins see everything. Other callers see the contents on which they have an effective role.
 * - Errors are those of `/v1`: `{"error": {"code", "message"}}` and their headers.
 * - Optional fields without a value are absent. Dates are UTC with three fraction digits.
 */

export interface Revision {
  readonly revision: number;
  readonly importedAt: string;
}

/**
 * Every answer begins with the revision from which it was read. `newer` is the current revision, if it is another one.
 * The page shows one revision at a time, and ignores answers from others.
 */
export interface Stamp extends Revision {
  readonly newer?: Revision;
}

/**
 * Every query except `me` may name the revision to read from (contract, section 5). The server reads the current
 * revision if the query names none, if the named one is no longer readable, or if the caller does not see everything.
 * The answer's `revision` says which one was read. Authorization uses the current revision.
 */
export interface AtRevision {
  readonly revision?: number;
  /**
   * Instead of `revision`, also for `me`: the WHEN of `/at/WHEN` (contract, section 10). Callers who see everything may
   * list everything that existed then; other callers, what they may list now.
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
