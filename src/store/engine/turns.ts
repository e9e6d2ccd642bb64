import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** The time after which long work yields, in milliseconds. */
const TURN = 1;

/** Lets long work yield to the event loop. */
export class Turns {
  #begun = performance.now();

  /** Call it after each step of the work. */
  async give(): Promise<void> {
    if (performance.now() - this.#begun < TURN) return;
    await yieldToEventLoop();
    this.#begun = performance.now();
  }
}
