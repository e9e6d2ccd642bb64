/**
 * What the explorer's page and its server say to each other, a file for each question. Types only, imported by both sides.
 *
 * - GET alone; ids are given in the query, since a user's id may be any text. A parameter that an endpoint does
 *   not have, one given twice and an empty `kind`, `tab`, `role`, `order`, `limit`, `page` or `revision` are a
 *   400, as in `/v1` (contract, section 6); an empty `q` is no filter.
 * - Authorization is that of `/v1` (contract, section 7); each query below says which rule it falls under.
 *   "See" means: an organization token, an organization admin, or an effective role on the content.
 * - Errors are those of `/v1`: `{"error": {"code", "message"}}` and their headers.
 * - Optional fields without a value are left out. Dates are UTC with three fraction digits.
 */

/** A revision: its number and when it was imported. */
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
 * On every query but `me`: the revision to read from (contract, section 5). The current revision is read instead if none
 * is given, if that one is no longer kept, or if the caller does not see everything; `revision` of the answer says which
 * was read. Authorization uses the current revision.
 */
export interface AtRevision {
  readonly revision?: number;
  /**
   * Instead of `revision`, also on `me`: WHEN, as under `/at/WHEN` (contract, section 10). The answer is as of then.
   * Organization tokens and organization admins may list what existed then, all others what they may list now.
   */
  readonly at?: string;
}

/** Pages as in `/v1`: `limit` from 1 to 1000, by default 100; `page` from the answer before. */
export interface Paged extends AtRevision {
  readonly limit?: number;
  readonly page?: string;
}

/** A page of a list, flat as in `/v1`: no `next` on the last page. */
export interface Listing<Item> extends Stamp {
  readonly next?: { readonly page: string };
  readonly count: number;
  readonly items: readonly Item[];
  /** How many the whole list has, where that is known without walking it. */
  readonly total?: number;
}
