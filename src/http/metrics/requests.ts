/** The upper bounds of the histogram in seconds. Most pages take far less than a millisecond. */
export const BOUNDS = [
  0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export interface Answers {
  readonly route: string;
  readonly status: number;
  /**
   * The number of answers whose time is at most this bound and above the previous one. The last number has no bound.
   */
  readonly counts: number[];
  seconds: number;
}

export class RequestTimes {
  readonly #byRoute = new Map<string, Map<number, Answers>>();

  note(route: string, status: number, seconds: number): void {
    const answers = this.#answersOf(route, status);
    let index = 0;
    while (seconds > (BOUNDS[index] ?? Infinity)) index++;
    answers.counts[index] = (answers.counts[index] ?? 0) + 1;
    answers.seconds += seconds;
  }

  add(others: readonly Answers[]): void {
    for (const { route, status, counts, seconds } of others) {
      const answers = this.#answersOf(route, status);
      for (const [index, count] of counts.entries()) {
        answers.counts[index] = (answers.counts[index] ?? 0) + count;
      }
      answers.seconds += seconds;
    }
  }

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
