/** What a server measures from its start, and the route that publishes it. */
import { type Answered, type Route, answer, bodyOf } from "./exchange.ts";
import { RequestTimes, withRequests } from "./request-times.ts";
import type { Service } from "./service.ts";
import type { Server } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Registry } from "prom-client";

/**
 * `/metrics` for Prometheus. Labels are route templates and statuses, never ids (docs/operations.md). The route needs
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
            : await (await import("./metrics-registry.ts")).aggregate(await workers.collect());
        const type = { "content-type": registry.contentType, "cache-control": "no-store" };
        return answer(200, { ...headers, ...type }, bodyOf(text));
      },
    };
  }

  close(): void {
    this.#counted.lag.close();
  }

  #registry(): Promise<Registry> {
    this.#loaded ??= import("./metrics-registry.ts").then(({ registryOf }) =>
      registryOf(this.#server, this.#service, this.#counted),
    );
    return this.#loaded;
  }
}

/**
 * The interval of the measurement, in milliseconds. A shorter one would cost more; a longer one would miss short
 * delays.
 */
const RESOLUTION = 20;
/** A delay is reported for at least this time, and for at most twice as long, in milliseconds. */
const WINDOW = 60_000;

/** The longest delay of timers in the current and the previous {@link WINDOW}. */
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

  /** Node measures the time between two ticks. Only what exceeds the interval is a delay. */
  get #running(): number {
    return this.#delays.count === 0 ? 0 : Math.max(0, this.#delays.max / 1e9 - RESOLUTION / 1000);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delays.disable();
  }
}
