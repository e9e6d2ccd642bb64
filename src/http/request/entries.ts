import { DEFAULT_LIMIT, MAX_LIMIT } from "../../domain/page.ts";

/** Estimates how many entries a URL asks for. Its query is not validated yet. */
export function entriesOf(url: string): number {
  const [, limit] = /[?&]limit=(\d{1,4})(?:&|$)/.exec(url) ?? [];
  return limit === undefined ? DEFAULT_LIMIT : Math.min(Number(limit), MAX_LIMIT);
}
