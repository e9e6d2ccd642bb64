import { setTimeout as sleep } from "node:timers/promises";
import type { Allowance } from "./allowance.ts";

/** Waits between requests: so many a minute as was asked for, and as long as the API says, for all that ask at once. */
export class Pacer {
  readonly #interval: number;
  readonly #signal: AbortSignal;
  #next = 0;
  #heldUntil = 0;

  /** `rate` is requests a minute, `Infinity` for as many as the API takes. `signal` ends all waiting. */
  constructor(rate: number, signal: AbortSignal) {
    this.#interval = 60_000 / rate;
    this.#signal = signal;
  }

  /** When requests go on, in milliseconds since 1970; past where nothing holds them. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  /** Resolves when one more request may be made. */
  async turn(): Promise<void> {
    const mine = Math.max(Date.now(), this.#next);
    this.#next = mine + this.#interval;
    // Somebody else may be told to wait longer while this one waits.
    for (;;) {
      this.#signal.throwIfAborted();
      const wait = Math.max(mine, this.#heldUntil) - Date.now();
      if (wait <= 0) return;
      await sleep(wait, undefined, { signal: this.#signal }).catch(() => this.#signal.throwIfAborted());
    }
  }

  /** Lets nobody ask for the next `milliseconds`. */
  hold(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + milliseconds);
  }

  /** Holds everybody where an answer says that nothing is left, at most so many milliseconds. */
  heed({ remaining, wait }: Allowance, longest: number): void {
    if (remaining === 0 && wait !== undefined) this.hold(Math.min(wait, longest));
  }
}
