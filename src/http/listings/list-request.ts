import type { ListRequest, Operation } from "../../operations/operation.ts";
import { type Filters, queryParametersOf, readFilters, readLimit } from "../../operations/parameters.ts";
import { readPage } from "./page-identifier.ts";
import { parseQuery } from "../request/query.ts";

export interface Asked {
  readonly filters: Filters;
  readonly limit: number;
  /**
   * Identifies the list with its filters, defaults included: requests for the same list have the same text (contract,
   * section 5).
   */
  readonly listing: string;
  /** The revision on which the walk began; absent on a first page. */
  readonly begun: number | undefined;
  readonly after: string | undefined;
}

/**
 * Parses a query for `operation`. `when` is the path segment that names a past revision. Throws 400 as the contract,
 * section 6 says.
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

export function requestOf(path: ListRequest["path"], { filters, after, limit }: Asked): ListRequest {
  return { path, filters, page: { after, limit } };
}
