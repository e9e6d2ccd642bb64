import { ApiError } from "../../domain/error.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../../domain/page.ts";
import { isRole, ROLES } from "../../domain/role.ts";
import type { Filters, Operation } from "../../operations/operation.ts";
import { DEFAULT_ORDER, ORDERS, queryParametersOf } from "../../operations/parameters.ts";
import { readPage } from "./page-identifier.ts";
import { parseQuery, quote } from "../query.ts";

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
  const filters: Filters = {
    role: roleOf(query.get("role")),
    order: orderOf(query.get("order")),
    title: query.get("title") ?? "",
  };
  const limit = limitOf(query.get("limit"));
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

/** The parameter `limit`; throws 400 for a bad one. */
export function limitOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = /^[1-9][0-9]{0,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new ApiError(
    "badRequest",
    `The parameter limit is ${quote(value)}; accepted: a whole number from 1 to ${MAX_LIMIT}.`,
  );
}

function roleOf(value: string | undefined): Filters["role"] {
  if (value === undefined || isRole(value)) return value;
  throw new ApiError("badRequest", `The parameter role is ${quote(value)}; accepted: ${ROLES.join(", ")}.`);
}

function orderOf(value: string | undefined): Filters["order"] {
  const order = value === undefined ? DEFAULT_ORDER : ORDERS.find((each) => each === value);
  if (order !== undefined) return order;
  throw new ApiError(
    "badRequest",
    `The parameter order is ${quote(value ?? "")}; accepted: ${ORDERS.join(", ")}.`,
  );
}
