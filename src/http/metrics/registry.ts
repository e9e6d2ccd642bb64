import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import type { Service } from "../service.ts";
import { addEventLoop } from "./event-loop.ts";
import type { LongestLag } from "./longest-lag.ts";
import { addProcess } from "./process.ts";
import { counter } from "./read.ts";
import { type NoteRequest, requestHistogram } from "./requests.ts";
import { addServiceMetrics } from "./service.ts";

/** Counts from before the first scrape. */
export interface Counted {
  readonly lag: LongestLag;
  /** Connections whose input did not become a request. */
  unreadable: number;
}

/** All metrics of this process, and the function that records an answered request. */
export function registryOf(
  app: FastifyInstance,
  service: Service,
  counted: Counted,
): { readonly registry: Registry; readonly note: NoteRequest } {
  const registry = new Registry();
  const note = requestHistogram(registry);
  counter(registry, {
    name: "rolebook_http_unreadable_total",
    help: "Connections that were closed because their input was refused before it was a request.",
    read: () => counted.unreadable,
  });
  addServiceMetrics(app, service, registry);
  addEventLoop(counted.lag, registry);
  addProcess(service.version, registry);
  return { registry, note };
}
