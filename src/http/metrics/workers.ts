import { AggregatorRegistry } from "prom-client";

/** The metrics of one process, as they are sent between processes. */
export type ProcessMetrics = readonly object[];

/** The processes that share the port. A scrape of one returns the metrics of all. */
export interface WorkerMetrics {
  /** Registers how to read the metrics of this process. */
  provide(read: () => Promise<ProcessMetrics>): void;
  /** The metrics of all processes. Throws an ApiError if one does not answer in time. */
  collect(): Promise<ProcessMetrics[]>;
}

/** The metrics of several processes as one text for Prometheus. */
export function aggregate(metrics: ProcessMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate(metrics).metrics();
}
