import { unavailable } from "../../../../domain/error.ts";

/** The maximum number of statements of one node that wait for its share. */
const MOST_WAITING = 1000;

interface Share {
  readonly most: number;
  held: number;
  /** Callbacks in the order of arrival. A call lets one waiting statement run. */
  readonly waiting: Set<() => void>;
}

/** A statement's part of a share, from {@link Shares.enter}. Call {@link leave} once. */
export interface Place {
  /** Call it when the node has answered. */
  answered(): void;
  /** Call it when a statement has exceeded its time limit. */
  late(): void;
  leave(): void;
}

/**
 * Limits how many connections of a pool one node uses, so that other nodes still get connections if it is slow or
 * unavailable: four fifths, rounded down, and at least one. All nodes of which a statement exceeded its time limit share
 * a quarter, until a statement of theirs is answered.
 */
export class Shares {
  readonly #most: number;
  readonly #late: Share;
  readonly #patience: number;
  readonly #shares = new Map<string, Share>();
  readonly #lateNodes = new Set<string>();

  /** `size` is the pool's size; `patience` is the longest wait for a connection, in milliseconds. */
  constructor(size: number, patience: number) {
    this.#most = Math.max(1, size - Math.ceil(size / 5));
    this.#late = { most: Math.max(1, Math.floor(size / 4)), held: 0, waiting: new Set() };
    this.#patience = patience;
  }

  /**
   * Resolves when another statement of a node may run. Rejects with an ApiError if the share stays in use for too long
   * or too many statements wait.
   */
  async enter(node: string): Promise<Place> {
    for (;;) {
      const share = this.#shareOf(node);
      if (share.held < share.most) share.held++;
      else await this.#wait(share);
      // The node may have been late, or may have answered, meanwhile.
      if (share === this.#shareOf(node)) return this.#placeIn(share, node);
      this.#leave(share, node);
    }
  }

  #placeIn(share: Share, node: string): Place {
    return {
      answered: () => void this.#lateNodes.delete(node),
      late: () => void this.#lateNodes.add(node),
      leave: () => this.#leave(share, node),
    };
  }

  #shareOf(node: string): Share {
    if (this.#lateNodes.has(node)) return this.#late;
    let share = this.#shares.get(node);
    if (share === undefined) {
      share = { most: this.#most, held: 0, waiting: new Set() };
      this.#shares.set(node, share);
    }
    return share;
  }

  #leave(share: Share, node: string): void {
    const [next] = share.waiting;
    if (next !== undefined) next();
    else if (--share.held === 0 && share !== this.#late && this.#shares.get(node) === share) {
      this.#shares.delete(node);
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
