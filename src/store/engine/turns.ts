import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** Others get their turn after so many milliseconds. */
const TURN = 1;

/** Long work that lets others have their turn. */
export class Turns {
  #begun = performance.now();

  /** To be called after each piece of the work. */
  async give(): Promise<void> {
    if (performance.now() - this.#begun < TURN) return;
    await yieldToEventLoop();
    this.#begun = performance.now();
  }
}
