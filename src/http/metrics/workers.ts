import { AggregatorRegistry } from "prom-client";
import { withRequests } from "./request-histogram.ts";
import { type Answers, RequestTimes } from "./requests.ts";

/** The metrics of one process, as a worker sends them. */
export interface ProcessMetrics {
  readonly answers: readonly Answers[];
  /** In the form of prom-client. */
  readonly others: object[];
}

/** Reads the metrics of all processes that share the port, whichever of them is scraped. */
export interface WorkerMetrics {
  /** Sets how the metrics of this process are read. */
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
