/** What the headers of an answer say about the rate limit. */
export interface Allowance {
  /** The requests left in the current window; `undefined` if the headers do not say it. */
  readonly remaining: number | undefined;
  /** Milliseconds until the next request is allowed; `undefined` if the headers do not say it. */
  readonly wait: number | undefined;
}

/**
 * `X-RateLimit-Reset` is in seconds from now if it is below the first number, in seconds since 1970 if below the
 * second, and otherwise in milliseconds since 1970.
 */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e11;

/**
 * Parses `Retry-After` and `X-RateLimit-*`. GitBook documents the reset in seconds since 1970, but servers also send
 * milliseconds, or seconds from now. Past times are ignored. The server's `Date` is the current time, because the clock
 * of this machine may be wrong.
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
