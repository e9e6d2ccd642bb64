import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** The time after which long work yields to the event loop, in milliseconds. */
const LONGEST = 4;

/** Divides long work into turns, so that a server answers other requests in between. */
export class Turn {
  #begun = performance.now();

  /** Yields to the event loop if the turn was long enough. */
  async end(): Promise<void> {
    if (performance.now() - this.#begun < LONGEST) return;
    await yieldToEventLoop();
    this.#begun = performance.now();
  }
}
