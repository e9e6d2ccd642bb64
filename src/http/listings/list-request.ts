import type { Operation } from "../../operations/operation.ts";
import { type Filters, queryParametersOf, readFilters, readLimit } from "../../operations/parameters.ts";
import { readPage } from "./page-identifier.ts";
import { parseQuery } from "../query.ts";

/** A request for a page of a listing, as the URL says it. */
export interface Asked {
  readonly filters: Filters;
  readonly limit: number;
  /** Names the listing, defaults filled in: two requests for the same list have the same text (contract, section 5). */
  readonly listing: string;
  /** The revision on which the walk began; absent for a first page. */
  readonly begun: number | undefined;
  readonly after: string | undefined;
}

/**
 * Reads the query of a request for `operation`; `when` is what the path says of the past. Throws 400 for anything that
 * contract section 6 names.
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
