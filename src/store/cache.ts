import { LRUCache } from "lru-cache";

/** Shares running work between concurrent callers, by key. Keeps no results and no failures. */
export class SingleFlight<Result> {
  readonly #underWay = new Map<string, Promise<Result>>();

  /**
   * Returns the result of the running work for `key`, or starts `work` if none runs. A failure rejects all waiting
   * callers.
   */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }
}

/** Identifies a revision uniquely, even after a backup was restored. */
interface RevisionKey {
  readonly history: number;
  readonly erasures: number;
  readonly generation: number;
  readonly revision: number;
}

export interface CacheKind<Value> {
  readonly name: string;
  readonly bytes: (value: Value) => number;
}

/** What a process has worked out from revisions and may be asked for again. The limit in bytes is for all kinds together. */
export class RevisionCache {
  readonly #entries: LRUCache<string, object>;
  readonly #underWay = new SingleFlight<unknown>();

  /** How many values left to make room for others, or never had room. */
  evicted = 0;

  constructor(bytes: number) {
    this.#entries = new LRUCache({
      maxSize: bytes,
      dispose: (_, __, reason) => {
        if (reason === "evict") this.evicted++;
      },
    });
  }

  /** Returns the cached value, or computes and caches it with `make`. Concurrent callers share one call of `make`. */
  async once<Value extends object>(
    kind: CacheKind<Value>,
    at: RevisionKey,
    key: string,
    make: () => Promise<Value>,
  ): Promise<Value> {
    const whole = keyOf(kind, at, key);
    // The key begins with the name of the kind, so what is kept and made under it is of that kind.
    const known = this.#entries.get(whole) as Value | undefined;
    if (known !== undefined) return known;
    return this.#underWay.do(whole, async () => {
      const value = await make();
      this.#entries.set(whole, value, { size: Math.ceil(kind.bytes(value)) + 100 + 2 * whole.length });
      if (!this.#entries.has(whole)) this.evicted++;
      return value;
    }) as Promise<Value>;
  }

  clear(): void {
    this.#entries.clear();
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }
}

function keyOf(
  { name }: Pick<CacheKind<never>, "name">,
  { history, erasures, generation, revision }: RevisionKey,
  key: string,
): string {
  return `${name} ${history}.${erasures}.${generation}.${revision}:${key}`;
}
