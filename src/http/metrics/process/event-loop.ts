import { performance } from "node:perf_hooks";
import type { Registry } from "prom-client";
import type { LongestLag } from "./longest-lag.ts";
import { counter, gauge } from "../read.ts";

/**
 * The utilization of the event loop, as active / (active + idle), and its longest delay in the last one to two minutes.
 */
export function addEventLoop(lag: LongestLag, registry: Registry): void {
  gauge(registry, {
    name: "rolebook_event_loop_lag_max_seconds",
    help: "The longest delay of the event loop in the last one to two minutes.",
    of: "max",
    read: () => lag.seconds,
  });
  for (const state of ["active", "idle"] as const) {
    counter(registry, {
      name: `rolebook_event_loop_${state}_seconds_total`,
      help: `Seconds for which the event loop was ${state}; its utilisation is active / (active + idle).`,
      read: () => performance.eventLoopUtilization()[state] / 1000,
    });
  }
}
