import type { Registry } from "prom-client";
import { type Answers, BOUNDS, type RequestTimes } from "./requests.ts";

const NAME = "rolebook_http_request_duration_seconds";
const HELP = "Time until a request was answered, by route template (none if no route matches) and status.";

/**
 * All metrics in Prometheus' text format. The histogram is written here because prom-client's own checks and joins the
 * labels at each request, and accepts no counts that were made elsewhere. Its `_count` is the number of requests.
 */
export async function withRequests(times: RequestTimes, others: Pick<Registry, "metrics">): Promise<string> {
  const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...times.all().flatMap(linesOf)];
  return `${lines.join("\n")}\n\n${await others.metrics()}`;
}

/** The lines of one route and status. Neither has a character that must be escaped in a label. */
function linesOf({ route, status, counts, seconds }: Answers): string[] {
  const labels = `route="${route}",status="${status}"`;
  let sum = 0;
  const buckets = counts.map(
    (count, index) => `${NAME}_bucket{le="${BOUNDS[index] ?? "+Inf"}",${labels}} ${(sum += count)}`,
  );
  return [...buckets, `${NAME}_sum{${labels}} ${seconds}`, `${NAME}_count{${labels}} ${sum}`];
}
