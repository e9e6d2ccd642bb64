import { unavailable } from "../../../../domain/error.ts";

/** The maximum number of statements of one generation that wait for its share. */
const MOST_WAITING = 1000;

interface Share {
  held: number;
  /** Callbacks in the order of arrival. A call lets one waiting statement run. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many connections of a pool one generation uses: four fifths, rounded down, and at least one. If the
 * generation's node is slow or unavailable, other organizations still get connections.
 */
export class Shares {
  readonly #most: number;
  readonly #patience: number;
  readonly #shares = new Map<number, Share>();

  /** `size` is the pool's size; `patience` is the longest wait for a connection, in milliseconds. */
  constructor(size: number, patience: number) {
    this.#most = Math.max(1, size - Math.ceil(size / 5));
    this.#patience = patience;
  }

  /**
   * Runs `work` within the share of a generation. Rejects with an ApiError if the share stays in use for too long or
   * too many statements wait.
   */
  async within<T>(generation: number, work: () => Promise<T>): Promise<T> {
    let share = this.#shares.get(generation);
    if (share === undefined) this.#shares.set(generation, (share = { held: 0, waiting: new Set() }));
    if (share.held < this.#most) share.held++;
    else await this.#wait(share);
    try {
      return await work();
    } finally {
      const [next] = share.waiting;
      if (next !== undefined) next();
      else if (--share.held === 0) this.#shares.delete(generation);
    }
  }

  #wait({ waiting }: Share): Promise<void> {
    if (waiting.size >= MOST_WAITING) throw unavailable();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => {
      waiting.delete(next);
      reject(unavailable());
    }, this.#patience);
    const next = () => {
      clearTimeout(late);
      waiting.delete(next);
      resolve();
    };
    waiting.add(next);
    return promise;
  }
}
