import { Histogram, type Registry } from "prom-client";

/** Upper bounds in seconds: most pages take far less than a millisecond. */
const BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The label of requests without a route; their path must not become a label. */
const NO_ROUTE = "none";

/** Records an answered request: its route, status and time in seconds. */
export type NoteRequest = (route: string | undefined, status: number, seconds: number) => void;

/** One histogram for all requests: its count is the number of requests. */
export function requestHistogram(registry: Registry): NoteRequest {
  const histogram = new Histogram({
    name: "rolebook_http_request_duration_seconds",
    help: "Time until a request was answered, by route template (none if no route matches) and status.",
    labelNames: ["route", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  // Children are cached here because prom-client's own lookup is slower.
  const children = new Map<string, Map<number, Histogram.Internal<"route" | "status">>>();
  return (route = NO_ROUTE, status, seconds) => {
    let byStatus = children.get(route);
    if (byStatus === undefined) {
      byStatus = new Map();
      children.set(route, byStatus);
    }
    let child = byStatus.get(status);
    if (child === undefined) {
      child = histogram.labels(route, String(status));
      byStatus.set(status, child);
    }
    child.observe(seconds);
  };
}
