import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { LongestLag } from "./metrics/longest-lag.ts";
import type { NoteRequest } from "./metrics/requests.ts";
import type { Service } from "./service.ts";

/** So many answers are noted, at most, before the library that counts them is loaded. */
const MOST_NOTED = 10_000;

/**
 * `/metrics`, for Prometheus. Labels hold route templates and statuses, never an id (contract, section 9). It asks
 * for no token; operators keep it off the internet. The library takes a twentieth of a start to load: it is loaded for the
 * first who asks.
 */
export function addMetrics(app: FastifyInstance, service: Service): void {
  const counted = { lag: new LongestLag(), unreadable: 0 };
  app.addHook("onClose", async () => counted.lag.close());
  // What was refused before it was a request: too large a head, too slow, or not HTTP at all.
  app.server.on("clientError", (error: Error & { code?: string }) => {
    if (error.code !== "ECONNRESET") counted.unreadable++;
  });

  const noted: Parameters<NoteRequest>[] = [];
  let note: NoteRequest = (...answered) => {
    if (noted.push(answered) >= MOST_NOTED) void load();
  };
  let loaded: Promise<Registry> | undefined;
  const load = () =>
    (loaded ??= import("./metrics/registry.ts").then((library) => {
      const made = library.registryOf(app, service, counted);
      for (const answered of noted.splice(0)) made.note(...answered);
      note = made.note;
      return made.registry;
    }));
  app.onAnswered(({ route, status, milliseconds }) => note(route, status, milliseconds / 1000));

  const { fellows } = service;
  fellows?.join(async () => (await load()).getMetricsAsJSON());
  app.get("/metrics", async (_, reply) => {
    const registry = await load();
    const text =
      fellows === undefined
        ? await registry.metrics()
        : await (await import("./metrics/fellows.ts")).textOf(await fellows.figures());
    return reply.headers({ "content-type": registry.contentType, "cache-control": "no-store" }).send(text);
  });
}
