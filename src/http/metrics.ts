import type { FastifyInstance } from "fastify";
import { Counter, Registry } from "prom-client";
import { addEventLoop } from "./metrics/event-loop.ts";
import { tellerOf } from "./metrics/fellows.ts";
import { addProcess } from "./metrics/process.ts";
import { requestHistogram } from "./metrics/requests.ts";
import { addServiceMetrics } from "./metrics/service.ts";
import type { Service } from "./service.ts";

/**
 * `/metrics`, for Prometheus. Labels hold route templates and statuses, never an id (contract, section 9). It asks
 * for no token; operators keep it off the internet.
 */
export function addMetrics(app: FastifyInstance, service: Service): void {
  const registry = new Registry();
  const note = requestHistogram(registry);
  app.onAnswered(({ route, status, milliseconds }) => note(route, status, milliseconds / 1000));
  addUnreadable(app, registry);
  addServiceMetrics(app, service, registry);
  addEventLoop(app, registry);
  addProcess(service.version, registry);
  const tell = tellerOf(registry, service.fellows);
  app.get("/metrics", async (_, reply) => {
    const text = await tell();
    return reply.headers({ "content-type": registry.contentType, "cache-control": "no-store" }).send(text);
  });
}

/** What was refused before it was a request: too large a head, too slow, or not HTTP at all. */
function addUnreadable(app: FastifyInstance, registry: Registry): void {
  const unreadable = new Counter({
    name: "rolebook_http_unreadable_total",
    help: "Connections that were closed because what came in was no request that could be read.",
    registers: [registry],
  });
  app.server.on("clientError", (error: Error & { code?: string }) => {
    if (error.code !== "ECONNRESET") unreadable.inc();
  });
}
