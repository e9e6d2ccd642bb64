/** The rate limit according to an answer's headers. */
export interface Allowance {
  /** Requests left in this window; `undefined` if unknown. */
  readonly remaining: number | undefined;
  /** Milliseconds until the window ends or a retry is allowed; `undefined` if unknown. */
  readonly wait: number | undefined;
}

/**
 * A reset below the first limit is in seconds from now, below the second in seconds since 1970, else in milliseconds
 * since 1970.
 */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e11;

/**
 * Parses `Retry-After` and `X-RateLimit-*`. GitBook documents the reset in seconds since 1970, but servers also send
 * milliseconds, or seconds from now. Past times are ignored. Times are compared with the server's `Date`, because the
 * local clock may be wrong.
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
