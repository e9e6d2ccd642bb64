/** The messages between the supervisor and its workers. */
import type { ProcessMetrics } from "../../http/metrics/workers.ts";

/** From a worker. */
export type ToSupervisor =
  /** The worker listens. `name` is the name of its database, `address` the address listened on. */
  | { readonly say: "serving"; readonly name: string; readonly address: string }
  /** Asks for the metrics of all workers, for a scrape. */
  | { readonly say: "collect"; readonly scrape: number }
  /** Answers `read`. */
  | { readonly say: "metrics"; readonly round: number; readonly metrics: ProcessMetrics };

/** From the supervisor. */
export type ToWorker =
  | { readonly say: "stop" }
  /** Asks for the worker's own metrics. */
  | { readonly say: "read"; readonly round: number }
  /** Answers `collect`. `metrics` is `null` if a worker did not answer in time. */
  | { readonly say: "collected"; readonly scrape: number; readonly metrics: ProcessMetrics[] | null };
