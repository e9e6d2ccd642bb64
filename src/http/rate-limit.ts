import { ApiError } from "../domain/error.ts";
import type { Token } from "../store/revisions/registry.ts";

const WINDOW = 60_000;

/** As whom a caller's requests are counted: all sessions of one member together, and every token apart. */
function countedAs({ id, issuer, member }: Token): string {
  return issuer === undefined ? id : `session of ${member}`;
}

/** Counts the requests of each token on this server, per minute of the clock (docs/api.md). */
export class RateLimit {
  readonly #limit: number;
  readonly #used = new Map<string, number>();
  #window = 0;

  /** `limit` is in requests per minute; 0 is no limit. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  isUsedUp(caller: Token): boolean {
    return (
      this.#limit > 0 &&
      this.#window === windowNow() &&
      (this.#used.get(countedAs(caller)) ?? 0) >= this.#limit
    );
  }

  /** Counts a request, and returns the headers of the rate limit. Throws 429 above the limit. */
  count(caller: Token): Record<string, string> {
    if (this.#limit === 0) return {};
    const token = countedAs(caller);
    const window = windowNow();
    if (window !== this.#window) {
      this.#window = window;
      this.#used.clear();
    }
    const used = (this.#used.get(token) ?? 0) + 1;
    this.#used.set(token, used);
    const reset = ((window + 1) * WINDOW) / 1000;
    const headers = {
      "x-ratelimit-limit": String(this.#limit),
      "x-ratelimit-remaining": String(Math.max(0, this.#limit - used)),
      "x-ratelimit-reset": String(reset),
    };
    if (used <= this.#limit) return headers;
    throw new ApiError("tooManyRequests", `This token may make ${this.#limit} requests a minute.`, {
      ...headers,
      "retry-after": String(Math.max(1, Math.ceil(reset - Date.now() / 1000))),
    });
  }
}

function windowNow(): number {
  return Math.floor(Date.now() / WINDOW);
}
