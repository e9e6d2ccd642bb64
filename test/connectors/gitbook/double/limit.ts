/** A rate limit with fixed windows, and the form of the headers that report it. */
export interface Limit {
  readonly requests: number;
  /** The length of a window, in milliseconds. */
  readonly window: number;
  /** The format of `X-RateLimit-Reset`. */
  readonly reset: "seconds" | "milliseconds" | "from now" | "past" | "absent";
  readonly retryAfter?: "seconds" | "date";
}

/** Counts requests, and writes the rate limit headers of each answer. */
export class Window {
  readonly #limit: Limit;
  #ends = 0;
  #left = 0;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** Counts a request. Returns whether it is within the limit. */
  take(): boolean {
    const now = Date.now();
    if (now >= this.#ends) {
      this.#ends = now + this.#limit.window;
      this.#left = this.#limit.requests;
    }
    return this.#left-- > 0;
  }

  headers(): Record<string, string> {
    const { requests, reset, retryAfter } = this.#limit;
    const left = Math.max(0, this.#left);
    const headers: Record<string, string> = {
      "x-ratelimit-limit": String(requests),
      "x-ratelimit-remaining": String(left),
    };
    const ahead = Math.ceil((this.#ends - Date.now()) / 1000);
    if (reset === "seconds") headers["x-ratelimit-reset"] = String(Math.ceil(this.#ends / 1000));
    if (reset === "milliseconds") headers["x-ratelimit-reset"] = String(this.#ends);
    if (reset === "from now") headers["x-ratelimit-reset"] = String(ahead);
    if (reset === "past") headers["x-ratelimit-reset"] = String(Math.floor(Date.now() / 1000) - 3600);
    if (this.#left < 0 && retryAfter === "seconds") headers["retry-after"] = String(ahead);
    if (this.#left < 0 && retryAfter === "date")
      headers["retry-after"] = new Date(this.#ends + 1000).toUTCString();
    return headers;
  }
}
