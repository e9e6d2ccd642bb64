/**
 * How long requests took, by route and status: counted here at each request, added up over the processes of a server,
 * and written as one histogram at a scrape.
 *
 * prom-client's own histogram checks and joins the labels at each request, and accepts no counts that were made elsewhere.
 */

/** The upper bounds of the histogram in seconds. Most pages take far less than a millisecond. */
export const BOUNDS = [
  0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export interface AnswerTimes {
  readonly route: string;
  readonly status: number;
  /**
   * The number of answers whose time is at most this bound and above the previous one. The last number has no bound.
   */
  readonly counts: number[];
  seconds: number;
}

export class RequestTimes {
  readonly #byRoute = new Map<string, Map<number, AnswerTimes>>();

  note(route: string, status: number, seconds: number): void {
    const answers = this.#answersOf(route, status);
    let index = 0;
    while (seconds > (BOUNDS[index] ?? Infinity)) index++;
    answers.counts[index] = (answers.counts[index] ?? 0) + 1;
    answers.seconds += seconds;
  }

  add(others: readonly AnswerTimes[]): void {
    for (const { route, status, counts, seconds } of others) {
      const answers = this.#answersOf(route, status);
      for (const [index, count] of counts.entries()) {
        answers.counts[index] = (answers.counts[index] ?? 0) + count;
      }
      answers.seconds += seconds;
    }
  }

  all(): AnswerTimes[] {
    return [...this.#byRoute.values()].flatMap((byStatus) => [...byStatus.values()]);
  }

  #answersOf(route: string, status: number): AnswerTimes {
    let byStatus = this.#byRoute.get(route);
    if (byStatus === undefined) this.#byRoute.set(route, (byStatus = new Map()));
    let answers = byStatus.get(status);
    if (answers === undefined) {
      const counts = Array<number>(BOUNDS.length + 1).fill(0);
      byStatus.set(status, (answers = { route, status, counts, seconds: 0 }));
    }
    return answers;
  }
}

const NAME = "rolebook_http_request_duration_seconds";
const HELP = "Time until a request was answered, by route template (none if no route matches) and status.";

/** All metrics in Prometheus' text format. The histogram's `_count` is the number of requests. */
export async function withRequests(
  times: RequestTimes,
  others: { metrics(): Promise<string> },
): Promise<string> {
  const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...times.all().flatMap(linesOf)];
  return `${lines.join("\n")}\n\n${await others.metrics()}`;
}

/** The lines of one route and status. Neither has a character that must be escaped in a label. */
function linesOf({ route, status, counts, seconds }: AnswerTimes): string[] {
  const labels = `route="${route}",status="${status}"`;
  let sum = 0;
  const buckets = counts.map(
    (count, index) => `${NAME}_bucket{le="${BOUNDS[index] ?? "+Inf"}",${labels}} ${(sum += count)}`,
  );
  return [...buckets, `${NAME}_sum{${labels}} ${seconds}`, `${NAME}_count{${labels}} ${sum}`];
}

/** The metrics of one of several processes that share a port. */
export interface ProcessMetrics {
  readonly answers: readonly AnswerTimes[];
  /** All other metrics, as prom-client returns them in JSON. */
  readonly others: object[];
}

/** Reads the metrics of all processes that share the port, whichever of them is scraped. */
export interface WorkerMetrics {
  provide(read: () => Promise<ProcessMetrics>): void;
  /** Throws an ApiError if a process does not answer in time. */
  collect(): Promise<ProcessMetrics[]>;
}
