import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { counter, gauge } from "./read.ts";

/** How often the loop is looked at, in milliseconds: often enough to see a stall, seldom enough to cost nothing. */
const RESOLUTION = 20;
/** How long a lag is remembered, in milliseconds: whoever scrapes when, it is neither missed nor reset. */
const WINDOW = 60_000;

/**
 * How busy the event loop is, and how late. Two counters give the utilisation over any stretch of time, active /
 * (active + idle); the lag is the longest of the last one to two minutes.
 */
export function addEventLoop(app: FastifyInstance, registry: Registry): void {
  const lag = new LongestLag();
  app.addHook("onClose", async () => lag.close());
  gauge(registry, {
    name: "rolebook_event_loop_lag_max_seconds",
    help: "The longest time by which the event loop was late, of the last one to two minutes.",
    of: "max",
    read: () => lag.seconds,
  });
  for (const state of ["active", "idle"] as const) {
    counter(registry, {
      name: `rolebook_event_loop_${state}_seconds_total`,
      help: `How long the event loop has been ${state}.`,
      read: () => performance.eventLoopUtilization()[state] / 1000,
    });
  }
}

/** Watches how late timers are, in windows: the running one and the one before count. */
class LongestLag {
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
