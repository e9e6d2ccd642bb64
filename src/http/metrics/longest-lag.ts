import { monitorEventLoopDelay } from "node:perf_hooks";

/** How often the loop is looked at, in milliseconds: often enough to see a stall, seldom enough to cost nothing. */
const RESOLUTION = 20;
/** How long a lag is remembered, in milliseconds: whoever scrapes when, it is neither missed nor reset. */
const WINDOW = 60_000;

/** Watches how late timers are, in windows: the running one and the one before count. */
export class LongestLag {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  readonly #timer: NodeJS.Timeout;
  #before = 0;

  constructor() {
    this.#delays.enable();
    this.#timer = setInterval(() => {
      this.#before = this.#running;
      this.#delays.reset();
    }, WINDOW);
    this.#timer.unref();
  }

  get seconds(): number {
    return Math.max(this.#before, this.#running);
  }

  /** What is measured is the time from one look to the next; only what is beyond the resolution is lag. */
  get #running(): number {
    return this.#delays.count === 0 ? 0 : Math.max(0, this.#delays.max / 1e9 - RESOLUTION / 1000);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delays.disable();
  }
}
