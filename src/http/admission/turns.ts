import type { IncomingMessage } from "node:http";
import { PROBES } from "../probes.ts";

/** How long one turn of the event loop takes requests, in milliseconds. */
const LONGEST_TURN = 50;

/** How many requests that wait it may take at most: where they are refused, that is a matter of some milliseconds. */
const MOST_IN_TURN = 64;

/** A request whose turn has not come. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly work: () => void;
  readonly since: number;
}

/**
 * Requests in the order in which they came, each turn of the event loop a few: between the turns what else comes in is
 * read, and who watches the server is answered.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  /** When the running turn of the event loop took its first request. */
  #began: number | undefined;
  /** How long the request that is taken now has waited for its turn, in milliseconds. */
  waited = 0;

  /** How many requests wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Calls `work` when the turn of its request comes, which may be now; never for a caller who has left by then. */
  take(request: IncomingMessage, work: () => void): void {
    const [path] = (request.url ?? "").split("?", 1);
    if (PROBES.has(path) || (this.#waiting.length === 0 && this.#isYoung())) return work();
    this.#waiting.push({ request, work, since: performance.now() });
    if (this.#waiting.length === 1) this.#goOn();
  }

  /**
   * Goes on in the next turn. Each request in a callback of its own: what it does goes on when its `work` has returned,
   * and is done, as far as it can be, before the next callback.
   */
  #goOn(): void {
    for (let count = 0; count < MOST_IN_TURN; count++) setImmediate(() => this.#workOnNext());
    setImmediate(() => this.#waiting.length > 0 && this.#goOn());
  }

  #workOnNext(): void {
    if (!this.#isYoung()) return;
    let next = this.#waiting.shift();
    while (next?.request.destroyed === true) next = this.#waiting.shift();
    if (next === undefined) return;
    this.waited = performance.now() - next.since;
    next.work();
    this.waited = 0;
  }

  #isYoung(): boolean {
    const now = performance.now();
    if (this.#began !== undefined) return now - this.#began < LONGEST_TURN;
    this.#began = now;
    // Runs when everything that was ready in this turn has been read.
    setImmediate(() => (this.#began = undefined));
    return true;
  }
}
