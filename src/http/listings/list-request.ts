import type { Operation } from "../../operations/operation.ts";
import { type Filters, queryParametersOf, readFilters, readLimit } from "../../operations/parameters.ts";
import { readPage } from "./page-identifier.ts";
import { parseQuery } from "../request/query.ts";

/** A parsed request for a page of a listing. */
export interface Asked {
  readonly filters: Filters;
  readonly limit: number;
  /**
   * Identifies the listing, with default filters: requests for the same list have the same text (contract, section 5).
   */
  readonly listing: string;
  /** The first revision of the walk; absent on a first page. */
  readonly begun: number | undefined;
  readonly after: string | undefined;
}

/**
 * Parses the query of a request for `operation`. `when` is the path segment that names a past revision. Throws 400 for
 * every fault that contract section 6 lists.
 */
export function askedOf(
  operation: Operation,
  organization: string,
  path: Readonly<Record<string, string>>,
  when: string | undefined,
  rawQuery: string,
): Asked {
  const query = parseQuery(rawQuery, queryParametersOf(operation));
  const filters = readFilters(query);
  const limit = readLimit(query.get("limit"));
  const listing = JSON.stringify([
    organization,
    operation.id,
    path,
    filters,
    ...(when === undefined ? [] : [when]),
  ]);
  const page = query.get("page");
  if (page === undefined) return { filters, limit, listing, begun: undefined, after: undefined };
  const { revision, after } = readPage(listing, page);
  return { filters, limit, listing, begun: revision, after };
}
