/** Upper bounds in seconds: most pages take far less than a millisecond. */
export const BOUNDS = [
  0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The label of requests without a route; their path must not become a label. */
const NO_ROUTE = "none";

/** The answers of one route with one status. */
export interface Answers {
  readonly route: string;
  readonly status: number;
  /**
   * The number of answers by bound: those that took at most this long and longer than the previous bound. The last
   * number counts the answers above all bounds.
   */
  readonly counts: number[];
  /** The sum of the answers' times. */
  seconds: number;
}

/** Counts answered requests by route, status and time. */
export class RequestTimes {
  readonly #byRoute = new Map<string, Map<number, Answers>>();

  note(route: string = NO_ROUTE, status: number, seconds: number): void {
    const answers = this.#answersOf(route, status);
    let place = 0;
    while (seconds > (BOUNDS[place] ?? Infinity)) place++;
    answers.counts[place] = (answers.counts[place] ?? 0) + 1;
    answers.seconds += seconds;
  }

  /** Adds the counts of another process. */
  add(others: readonly Answers[]): void {
    for (const { route, status, counts, seconds } of others) {
      const answers = this.#answersOf(route, status);
      for (const [place, count] of counts.entries()) {
        answers.counts[place] = (answers.counts[place] ?? 0) + count;
      }
      answers.seconds += seconds;
    }
  }

  /** All counts so far. */
  all(): Answers[] {
    return [...this.#byRoute.values()].flatMap((byStatus) => [...byStatus.values()]);
  }

  #answersOf(route: string, status: number): Answers {
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
