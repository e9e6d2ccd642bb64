import type { Server } from "node:http";
import type { Registry } from "prom-client";
import { LongestLag } from "./metrics/process/longest-lag.ts";
import { withRequests } from "./metrics/request-histogram.ts";
import { RequestTimes } from "./metrics/requests.ts";
import { answer, type Answered, bodyOf, type Route } from "./exchange.ts";
import type { Service } from "./service.ts";

/**
 * `/metrics` for Prometheus. Labels are route templates and statuses, never ids (contract, section 9). The route needs
 * no token; operators keep it off the internet. prom-client is loaded by the first scrape, because loading it takes a
 * twentieth of the start-up time.
 */
export class Metrics {
  readonly #service: Service;
  readonly #server: Server;
  readonly #times = new RequestTimes();
  readonly #counted = { lag: new LongestLag(), unreadable: 0 };
  #loaded: Promise<Registry> | undefined;

  constructor(service: Service, server: Server) {
    this.#service = service;
    this.#server = server;
    // Input that is not a request: too large headers, too slow, or not HTTP.
    server.on("clientError", (error: Error & { code?: string }) => {
      if (error.code !== "ECONNRESET") this.#counted.unreadable++;
    });
    service.workers?.provide(async () => ({
      answers: this.#times.all(),
      others: await (await this.#registry()).getMetricsAsJSON(),
    }));
  }

  count({ route, status, milliseconds }: Answered): void {
    this.#times.note(route, status, milliseconds / 1000);
  }

  get route(): Route {
    return {
      path: "/metrics",
      kind: "probe",
      handler: async ({ headers }) => {
        const registry = await this.#registry();
        const { workers } = this.#service;
        const text =
          workers === undefined
            ? await withRequests(this.#times, registry)
            : await (await import("./metrics/workers.ts")).aggregate(await workers.collect());
        const type = { "content-type": registry.contentType, "cache-control": "no-store" };
        return answer(200, { ...headers, ...type }, bodyOf(text));
      },
    };
  }

  close(): void {
    this.#counted.lag.close();
  }

  #registry(): Promise<Registry> {
    this.#loaded ??= import("./metrics/registry.ts").then(({ registryOf }) =>
      registryOf(this.#server, this.#service, this.#counted),
    );
    return this.#loaded;
  }
}
