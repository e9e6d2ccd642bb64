import { AggregatorRegistry, type Registry } from "prom-client";

/** The figures of one process, as they go from process to process. */
export type Figures = readonly object[];

/** Other processes that serve the same port: whoever scrapes one wants the figures of all. */
export interface Fellows {
  /** Hands over how to ask this process for its figures. */
  join(figures: () => Promise<Figures>): void;
  /** The figures of all. Throws an ApiError where some do not tell theirs. */
  figures(): Promise<Figures[]>;
}

/** What Prometheus reads: of this process, or of it and its fellows as one. */
export function tellerOf(registry: Registry, fellows: Fellows | undefined): () => Promise<string> {
  if (fellows === undefined) return () => registry.metrics();
  fellows.join(() => registry.getMetricsAsJSON());
  return async () => AggregatorRegistry.aggregate(await fellows.figures()).metrics();
}
