import type { IncomingMessage } from "node:http";
import { PROBES } from "../request/probes.ts";

/** The longest time for which one turn of the event loop starts requests, in milliseconds. */
const LONGEST_TURN = 50;

/** The number of requests that one turn starts at most. To refuse this many takes some milliseconds. */
const MOST_IN_TURN = 64;

function isProbe({ url = "" }: IncomingMessage): boolean {
  const [path] = url.split("?", 1);
  return PROBES.has(path);
}

/** A request that waits for its turn. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly work: () => void;
  readonly since: number;
}

/**
 * Starts requests in the order of their arrival, a few in each turn of the event loop. Between turns the server reads
 * new input and answers probes.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  /** The start of this turn's first request, by `performance.now()`; `undefined` if this turn has started none. */
  #began: number | undefined;
  /** The waiting time of the current request, in milliseconds. */
  waited = 0;

  /** The number of waiting requests. */
  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Calls `work` when it is the request's turn, possibly at once. Never calls it for a client that has disconnected.
   */
  take(request: IncomingMessage, work: () => void): void {
    if ((this.#waiting.length === 0 && this.#isYoung()) || isProbe(request)) return work();
    this.#waiting.push({ request, work, since: performance.now() });
    if (this.#waiting.length === 1) this.#goOn();
  }

  /**
   * Continues in the next turn. Each request is started in a callback of its own, so that the microtasks of one
   * request run before the next request starts.
   */
  #goOn(): void {
    for (let count = 0; count < MOST_IN_TURN; count++) setImmediate(() => this.#workOnNext());
    setImmediate(() => this.#waiting.length > 0 && this.#goOn());
  }

  #workOnNext(): void {
    if (!this.#isYoung()) return;
    let next = this.#waiting.shift();
    while (next?.request.socket.destroyed === true) next = this.#waiting.shift();
    if (next === undefined) return;
    this.waited = performance.now() - next.since;
    next.work();
    this.waited = 0;
  }

  #isYoung(): boolean {
    const now = performance.now();
    if (this.#began !== undefined) return now - this.#began < LONGEST_TURN;
    this.#began = now;
    // Runs after all input that was ready in this turn has been read.
    setImmediate(() => (this.#began = undefined));
    return true;
  }
}
