import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { LongestLag } from "./metrics/process/longest-lag.ts";
import { withRequests } from "./metrics/request-histogram.ts";
import { RequestTimes } from "./metrics/requests.ts";
import type { Service } from "./service.ts";

/**
 * `/metrics` for Prometheus. Labels are route templates and statuses, never ids (contract, section 9). The route needs
 * no token; operators keep it off the internet. prom-client is loaded by the first scrape, because loading it takes a
 * twentieth of the start-up time.
 */
export function addMetrics(app: FastifyInstance, service: Service): void {
  const times = new RequestTimes();
  const counted = { lag: new LongestLag(), unreadable: 0 };
  app.addHook("onClose", async () => counted.lag.close());
  // Input that is not a request: too large headers, too slow, or not HTTP.
  app.server.on("clientError", (error: Error & { code?: string }) => {
    if (error.code !== "ECONNRESET") counted.unreadable++;
  });

  app.onAnswered(({ route, status, milliseconds }) => times.note(route, status, milliseconds / 1000));

  let loaded: Promise<Registry> | undefined;
  const load = () =>
    (loaded ??= import("./metrics/registry.ts").then(({ registryOf }) => registryOf(app, service, counted)));
  const { workers } = service;
  workers?.provide(async () => ({
    answers: times.all(),
    others: await (await load()).getMetricsAsJSON(),
  }));
  app.get("/metrics", async (_, reply) => {
    const registry = await load();
    const text =
      workers === undefined
        ? await withRequests(times, registry)
        : await (await import("./metrics/workers.ts")).aggregate(await workers.collect());
    return reply.headers({ "content-type": registry.contentType, "cache-control": "no-store" }).send(text);
  });
}
