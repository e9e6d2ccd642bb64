import { AggregatorRegistry } from "prom-client";
import { withRequests } from "./request-histogram.ts";
import { type Answers, RequestTimes } from "./requests.ts";

/** The metrics of one process, as they are sent between processes. */
export interface ProcessMetrics {
  readonly answers: readonly Answers[];
  /** All other metrics, in the form of prom-client. */
  readonly others: object[];
}

/** The processes that share the port. A scrape of one returns the metrics of all. */
export interface WorkerMetrics {
  /** Registers how to read the metrics of this process. */
  provide(read: () => Promise<ProcessMetrics>): void;
  /** The metrics of all processes. Throws an ApiError if one does not answer in time. */
  collect(): Promise<ProcessMetrics[]>;
}

/** The metrics of several processes as one text for Prometheus. */
export async function aggregate(metrics: readonly ProcessMetrics[]): Promise<string> {
  const times = new RequestTimes();
  for (const { answers } of metrics) times.add(answers);
  const others = AggregatorRegistry.aggregate(metrics.map((each) => each.others));
  return withRequests(times, others);
}
