import { DEFAULT_LIMIT, MAX_LIMIT } from "../../domain/page.ts";

/** Estimates the number of entries that a URL requests, before the query is validated. */
export function entriesOf(url: string): number {
  const [, limit] = /[?&]limit=(\d{1,4})(?:&|$)/.exec(url) ?? [];
  return limit === undefined ? DEFAULT_LIMIT : Math.min(Number(limit), MAX_LIMIT);
}
