import { Histogram } from "prom-client";
import { type Answers, BOUNDS, type RequestTimes } from "./requests.ts";

const NAME = "rolebook_http_request_duration_seconds";
const HELP = "Time until a request was answered, by route template (none if no route matches) and status.";

/**
 * One histogram for all requests: its count is the number of requests. Each scrape reads {@link RequestTimes}, because
 * prom-client would check and join the labels at each request.
 */
export class RequestHistogram extends Histogram<"route" | "status"> {
  readonly #times: RequestTimes;

  constructor(times: RequestTimes) {
    super({ name: NAME, help: HELP, labelNames: ["route", "status"], buckets: BOUNDS, registers: [] });
    this.#times = times;
  }

  /** What prom-client reads for each scrape. */
  async getForPromString() {
    return {
      name: NAME,
      help: HELP,
      type: "histogram",
      aggregator: "sum",
      values: this.#times.all().flatMap(samplesOf),
    };
  }
}

function samplesOf({ route, status, counts, seconds }: Answers) {
  const sample = (suffix: string, value: number, labels: { le?: number | "+Inf" } = {}) => ({
    metricName: `${NAME}_${suffix}`,
    value,
    labels,
    sharedLabels: { route, status },
  });
  let sum = 0;
  const buckets = counts.map((count, place) =>
    sample("bucket", (sum += count), { le: BOUNDS[place] ?? "+Inf" }),
  );
  return [...buckets, sample("sum", seconds), sample("count", sum)];
}
