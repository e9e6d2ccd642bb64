import { AggregatorRegistry } from "prom-client";

/** The figures of one process, as they go from process to process. */
export type Figures = readonly object[];

/** Other processes that serve the same port: whoever scrapes one wants the figures of all. */
export interface Fellows {
  /** Hands over how to ask this process for its figures. */
  join(figures: () => Promise<Figures>): void;
  /** The figures of all. Throws an ApiError where some do not tell theirs. */
  figures(): Promise<Figures[]>;
}

/** The figures of several processes as one, as Prometheus reads them. */
export function textOf(figures: Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate(figures).metrics();
}
