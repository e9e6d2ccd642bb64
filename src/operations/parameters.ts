/** What a URL may carry: the names, limits and defaults that requests are checked against. */
import type { FilterName, Operation } from "./operation.ts";

/** The longest id that a path may hold, in characters (contract, section 6). */
export const LONGEST_ID = 255;

/** Directions of `order`. */
export const ORDERS = ["asc", "desc"] as const;
export const DEFAULT_ORDER = "desc";

export type QueryName = "page" | "limit" | FilterName;

/** The query parameters that an operation has, in the order in which they are documented. */
export function queryParametersOf({ filters }: Pick<Operation, "filters">): QueryName[] {
  return ["page", "limit", ...filters];
}
