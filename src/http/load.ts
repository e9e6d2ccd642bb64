/**
 * What the server has to do at once, and when that is too much.
 *
 * A request first waits for its turn ({@link RequestQueue}). From then until its answer is sent, it counts as load (`Exchange`),
 * and new requests are refused while the load is too high.
 */
import type { IncomingMessage } from "node:http";
import { ApiError } from "../domain/error.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../domain/page.ts";

/** The server is overloaded when one of these is exceeded. */
const LIMITS = {
  /** How long a request has waited for its turn, in milliseconds. */
  wait: 3_000,
  /** The requests in progress. A slow remote database can cause many. */
  working: 1_000,
  /** The entries for which the requests in progress ask together. */
  asked: 100_000,
  /** The bytes of answers that are not sent yet. */
  unsent: 256 << 20,
};

export type LoadLimits = Partial<typeof LIMITS>;

export class Load {
  readonly #limits: typeof LIMITS;
  readonly turns = new RequestQueue();
  working = 0;
  /** The entries for which the requests in progress ask. */
  asked = 0;
  /** The bytes of answers that are not sent yet. */
  unsent = 0;
  /** The requests whose answer is not sent completely. */
  answers = 0;

  /** Only tests pass `limits`. */
  constructor(limits: LoadLimits = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** All requests that came and are not answered completely. */
  get open(): number {
    return this.turns.length + this.answers;
  }

  /**
   * Whether the server is overloaded and refuses a request that waited this long for its turn, in milliseconds. The
   * check costs less than an answer.
   */
  isFull(waited: number): boolean {
    const { wait, working, asked, unsent } = this.#limits;
    return waited > wait || this.working >= working || this.asked >= asked || this.unsent >= unsent;
  }
}

export function overloaded(): ApiError {
  return new ApiError("unavailable", "The server is overloaded; try again.", { "retry-after": "1" });
}

/** Estimates how many entries a URL asks for. Its query is not validated yet. */
export function entriesOf(url: string): number {
  const [, limit] = /[?&]limit=(\d{1,4})(?:&|$)/.exec(url) ?? [];
  return limit === undefined ? DEFAULT_LIMIT : Math.min(Number(limit), MAX_LIMIT);
}

/** The most requests in a group, and the most entries for which they ask together. */
const MOST_TOGETHER = 8;
const MOST_ENTRIES = MOST_TOGETHER * DEFAULT_LIMIT;

interface Waiting {
  readonly request: IncomingMessage;
  readonly entries: number;
  readonly since: number;
  readonly start: (waited: number) => void;
}

/**
 * Starts requests in order of arrival, in groups: one group in each turn of the event loop. Between groups, the server
 * reads new input and answers probes.
 *
 * The requests of a group advance together. Each of their steps finds its code and data in the processor's caches,
 * which takes a fifth less CPU per page than one request after the other.
 */
class RequestQueue {
  readonly #waiting: Waiting[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Calls `start` when it is the request's turn, with the milliseconds that it waited; never if the client has
   * disconnected by then. A request that is not for a page (`entries` is `undefined`) ends its group, because it may
   * take long.
   */
  take(request: IncomingMessage, entries: number | undefined, start: (waited: number) => void): void {
    this.#waiting.push({ request, entries: entries ?? MOST_ENTRIES, since: performance.now(), start });
    if (this.#waiting.length === 1) setImmediate(() => this.#startGroup());
  }

  #startGroup(): void {
    const now = performance.now();
    let entries = 0;
    for (let count = 0; count < MOST_TOGETHER && entries < MOST_ENTRIES; count++) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      if (next.request.socket.destroyed) continue;
      entries += next.entries;
      next.start(now - next.since);
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#startGroup());
  }
}
