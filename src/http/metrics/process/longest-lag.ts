import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * The interval of the measurement, in milliseconds. A shorter one would cost more; a longer one would miss short
 * delays.
 */
const RESOLUTION = 20;
/** A delay is reported for at least this time, and for at most twice as long, in milliseconds. */
const WINDOW = 60_000;

/** The longest delay of timers in the current and the previous {@link WINDOW}. */
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

  /** Node measures the time between two ticks. Only what exceeds the interval is a delay. */
  get #running(): number {
    return this.#delays.count === 0 ? 0 : Math.max(0, this.#delays.max / 1e9 - RESOLUTION / 1000);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delays.disable();
  }
}
