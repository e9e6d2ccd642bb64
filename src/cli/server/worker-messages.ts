import type { ProcessMetrics } from "../../http/metrics/workers.ts";

export type ToSupervisor =
  /** The worker listens. `name` is the name of its database, `address` its URL. */
  | { readonly say: "serving"; readonly name: string; readonly address: string }
  /** A scrape asks for the metrics of all workers. */
  | { readonly say: "collect"; readonly scrape: number }
  | { readonly say: "metrics"; readonly round: number; readonly metrics: ProcessMetrics };

export type ToWorker =
  | { readonly say: "stop" }
  /** Asks for the metrics of this worker. */
  | { readonly say: "read"; readonly round: number }
  /** Answers `collect`. `metrics` is `null` if a worker did not answer in time. */
  | { readonly say: "collected"; readonly scrape: number; readonly metrics: ProcessMetrics[] | null };
