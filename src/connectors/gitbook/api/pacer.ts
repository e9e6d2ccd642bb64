import { setTimeout as sleep } from "node:timers/promises";
import type { Allowance } from "./allowance.ts";

/** Delays the requests of all concurrent callers to the chosen rate and to the API's limit. */
export class Pacer {
  readonly #interval: number;
  readonly #signal: AbortSignal;
  #next = 0;
  #heldUntil = 0;

  /** `rate` is requests per minute, `Infinity` for no limit. `signal` ends all waits. */
  constructor(rate: number, signal: AbortSignal) {
    this.#interval = 60_000 / rate;
    this.#signal = signal;
  }

  /** The time until which requests are delayed, in milliseconds since 1970; in the past if there is no delay. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    const mine = Math.max(Date.now(), this.#next);
    this.#next = mine + this.#interval;
    // Another answer may extend the delay during this wait.
    for (;;) {
      this.#signal.throwIfAborted();
      const wait = Math.max(mine, this.#heldUntil) - Date.now();
      if (wait <= 0) return;
      await sleep(wait, undefined, { signal: this.#signal }).catch(() => this.#signal.throwIfAborted());
    }
  }

  /** Delays all requests for `milliseconds`. */
  hold(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + milliseconds);
  }

  /** Delays all requests if an answer says that the limit is used up, for at most `longest` milliseconds. */
  heed({ remaining, wait }: Allowance, longest: number): void {
    if (remaining === 0 && wait !== undefined) this.hold(Math.min(wait, longest));
  }
}
