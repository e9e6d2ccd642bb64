/** How many sign-ins are exchanged with the provider at once, and from where (docs/sign-in.md). */
import { ApiError } from "../../domain/error.ts";

/** The most exchanges at once, of all and of one address. */
const MOST = 10;
const MOST_OF_ADDRESS = 2;
/** The most exchanges of one address in a minute of the clock. */
const MOST_A_MINUTE = 20;
/** The most exchanges that wait, and how long each does at most, in milliseconds. */
const MOST_WAITING = 100;
const LONGEST_WAIT = 5_000;
/** How long an exchange may take, in milliseconds. */
export const LONGEST_EXCHANGE = 10_000;
const MINUTE = 60_000;

/** Who is signing in. */
export interface Asking {
  /** See `networkOf` in callers.ts. */
  readonly network: string;
  /** Whether the client has disconnected. */
  isGone(): boolean;
}

/** The exchanges of one network. */
interface Counts {
  running: number;
  waiting: number;
  /** Those that began in this minute. */
  begun: number;
}

interface Waiting {
  readonly counts: Counts;
  readonly isGone: () => boolean;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Decides whose turn it is. Nobody without an account can keep others from signing in, or make the provider refuse us,
 * by attempts that lead to nothing.
 */
export class Exchanges {
  #running = 0;
  #minute = 0;
  readonly #counts = new Map<string, Counts>();
  readonly #waiting = new Set<Waiting>();

  /** Runs `work` when it may begin. Throws 503 if that takes too long, or if this network has used up its minute. */
  async run<T>({ network, isGone }: Asking, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const counts = this.#ofThisMinute(network);
    if (this.#mayBegin(counts)) this.#begin(counts);
    else await this.#wait(counts, isGone);
    try {
      return await work(AbortSignal.timeout(LONGEST_EXCHANGE));
    } finally {
      this.#running--;
      counts.running--;
      this.#beginWaiting();
    }
  }

  /** Counts what is asked of the provider once for all people. Throws 503 if this network has used up its minute. */
  count({ network }: Asking): void {
    this.#ofThisMinute(network).begun++;
  }

  #ofThisMinute(network: string): Counts {
    const now = Date.now();
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      for (const [each, counts] of this.#counts) {
        counts.begun = 0;
        if (counts.running === 0 && counts.waiting === 0) this.#counts.delete(each);
      }
    }
    const counts = this.#counts.get(network) ?? { running: 0, waiting: 0, begun: 0 };
    this.#counts.set(network, counts);
    if (counts.begun + counts.waiting < MOST_A_MINUTE) return counts;
    const left = Math.ceil(((minute + 1) * MINUTE - now) / 1000);
    throw new ApiError("unavailable", "Too many people are signing in from your address; try again.", {
      "retry-after": String(Math.max(1, left)),
    });
  }

  #mayBegin({ running }: Counts): boolean {
    return this.#running < MOST && running < MOST_OF_ADDRESS;
  }

  #begin(counts: Counts): void {
    this.#running++;
    counts.running++;
    counts.begun++;
  }

  async #wait(counts: Counts, isGone: () => boolean): Promise<void> {
    if (this.#waiting.size >= MOST_WAITING) this.#makeRoomFor(counts);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { counts, isGone, begin: resolve, refuse: () => reject(tooMany()) };
    this.#waiting.add(waiting);
    counts.waiting++;
    const late = setTimeout(() => {
      this.#leave(waiting);
      waiting.refuse();
    }, LONGEST_WAIT);
    try {
      await promise;
    } finally {
      clearTimeout(late);
    }
  }

  /** Sends the last one away of the network that has most waiting. Throws 503 if that is the one that asks. */
  #makeRoomFor(counts: Counts): void {
    const [last] = [...this.#waiting].toReversed().toSorted((a, b) => b.counts.waiting - a.counts.waiting);
    if (last === undefined || last.counts.waiting <= counts.waiting + 1) throw tooMany();
    this.#leave(last);
    last.refuse();
  }

  #leave(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    waiting.counts.waiting--;
  }

  /** Begins those that may: first those of the network that began least in this minute, then in order of arrival. */
  #beginWaiting(): void {
    for (const waiting of this.#waiting) {
      // Whoever reloads the page waits a second time with the same attempt, which is exchanged once.
      if (!waiting.isGone()) continue;
      this.#leave(waiting);
      waiting.refuse();
    }
    for (const waiting of [...this.#waiting].toSorted((a, b) => a.counts.begun - b.counts.begun)) {
      if (!this.#mayBegin(waiting.counts)) continue;
      this.#leave(waiting);
      this.#begin(waiting.counts);
      waiting.begin();
    }
  }
}

function tooMany(): ApiError {
  return new ApiError("unavailable", "Too many people are signing in now; try again.", {
    "retry-after": "5",
  });
}
