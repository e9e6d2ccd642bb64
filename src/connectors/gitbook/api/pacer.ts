import { setTimeout as sleep } from "node:timers/promises";
import type { Allowance } from "./allowance.ts";

/** Delays requests, so that all callers together keep to a rate and to the API's limit. */
export class Pacer {
  readonly #interval: number;
  readonly #signal: AbortSignal;
  #next = 0;
  #heldUntil = 0;

  /** `rate` is in requests per minute; `Infinity` is no limit. `signal` ends all waits. */
  constructor(rate: number, signal: AbortSignal) {
    this.#interval = 60_000 / rate;
    this.#signal = signal;
  }

  /** In milliseconds since 1970; in the past if nothing delays requests. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    const mine = Math.max(Date.now(), this.#next);
    this.#next = mine + this.#interval;
    // Another answer may prolong the delay meanwhile.
    for (;;) {
      this.#signal.throwIfAborted();
      const wait = Math.max(mine, this.#heldUntil) - Date.now();
      if (wait <= 0) return;
      await sleep(wait, undefined, { signal: this.#signal }).catch(() => this.#signal.throwIfAborted());
    }
  }

  hold(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + milliseconds);
  }

  /** Delays all requests, for at most `longest` milliseconds, if an answer says that the limit is used up. */
  heed({ remaining, wait }: Allowance, longest: number): void {
    if (remaining === 0 && wait !== undefined) this.hold(Math.min(wait, longest));
  }
}
