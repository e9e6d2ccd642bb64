import type { Server } from "node:http";
import { Registry } from "prom-client";
import type { Service } from "../service.ts";
import { addEventLoop } from "./process/event-loop.ts";
import type { LongestLag } from "./process/longest-lag.ts";
import { addProcess } from "./process/process.ts";
import { counter } from "./read.ts";
import { addServiceMetrics } from "./service.ts";

/** Counts that begin before the first scrape creates the registry. */
export interface Counted {
  readonly lag: LongestLag;
  unreadable: number;
}

/** The metrics of this process, without the times of requests. */
export function registryOf(server: Server, service: Service, counted: Counted): Registry {
  const registry = new Registry();
  counter(registry, {
    name: "rolebook_http_unreadable_total",
    help: "Connections that were closed because their input was refused before it was a request.",
    read: () => counted.unreadable,
  });
  addServiceMetrics(server, service, registry);
  addEventLoop(counted.lag, registry);
  addProcess(service.version, registry);
  return registry;
}
