/** What an answer's headers say about the rate limit. */
export interface Allowance {
  /** Requests that are left in this window; `undefined` where that is not told. */
  readonly remaining: number | undefined;
  /** Milliseconds until there are more, or until the API wants to be asked again; `undefined` where not told. */
  readonly wait: number | undefined;
}

/** Below it a reset is a number of seconds from now, and above the other one it is in milliseconds. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e11;

/**
 * Reads `Retry-After` and `X-RateLimit-*`. GitBook documents the reset in seconds since 1970; servers are known to
 * send milliseconds, or seconds from now. A time that is past tells nothing. Times are compared with the server's own
 * `Date`, since the clock here may be wrong.
 */
export function allowanceOf(headers: Headers, clock: number): Allowance {
  const date = Date.parse(headers.get("date") ?? "");
  const now = Number.isNaN(date) ? clock : date;
  return {
    remaining: numberIn(headers, "x-ratelimit-remaining"),
    wait: retryAfter(headers, now) ?? reset(headers, now),
  };
}

function retryAfter(headers: Headers, now: number): number | undefined {
  const seconds = numberIn(headers, "retry-after");
  if (seconds !== undefined) return seconds * 1000;
  return ahead(Date.parse(headers.get("retry-after") ?? ""), now);
}

function reset(headers: Headers, now: number): number | undefined {
  const value = numberIn(headers, "x-ratelimit-reset");
  if (value === undefined) return undefined;
  if (value < FIRST_EPOCH_SECONDS) return value * 1000;
  return ahead(value < FIRST_EPOCH_MILLISECONDS ? value * 1000 : value, now);
}

function ahead(time: number, now: number): number | undefined {
  return time > now ? time - now : undefined;
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name) ?? "";
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}
