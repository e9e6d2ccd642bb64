import { AggregatorRegistry } from "prom-client";
import { withRequests } from "./request-histogram.ts";
import { type Answers, RequestTimes } from "./requests.ts";

export interface ProcessMetrics {
  readonly answers: readonly Answers[];
  /** All other metrics, as prom-client returns them in JSON. */
  readonly others: object[];
}

/** Reads the metrics of all processes that share the port, whichever of them is scraped. */
export interface WorkerMetrics {
  provide(read: () => Promise<ProcessMetrics>): void;
  /** Throws an ApiError if a process does not answer in time. */
  collect(): Promise<ProcessMetrics[]>;
}

export async function aggregate(metrics: readonly ProcessMetrics[]): Promise<string> {
  const times = new RequestTimes();
  for (const { answers } of metrics) times.add(answers);
  const others = AggregatorRegistry.aggregate(metrics.map((each) => each.others));
  return withRequests(times, others);
}
