import { LRUCache } from "lru-cache";
import { SingleFlight } from "./single-flight.ts";

/** Identifies a revision uniquely, even after a backup was restored. */
interface RevisionKey {
  readonly history: number;
  readonly erasures: number;
  readonly revision: number;
}

export interface CacheKind<Value> {
  readonly name: string;
  readonly bytes: (value: Value) => number;
}

/**
 * Caches values that were computed from revisions. The limit in bytes is for all kinds together. Every key contains the
 * revision, so values never become stale and need no invalidation.
 */
export class RevisionCache {
  readonly #entries: LRUCache<string, object>;
  readonly #underWay = new SingleFlight<object>();

  constructor(bytes: number) {
    this.#entries = new LRUCache({ maxSize: bytes });
  }

  get<Value extends object>(kind: CacheKind<Value>, at: RevisionKey, key: string): Value | undefined {
    // The stored key begins with the name of the kind, so the value is of that kind.
    return this.#entries.get(keyOf(kind, at, key)) as Value | undefined;
  }

  keep<Value extends object>(kind: CacheKind<Value>, at: RevisionKey, key: string, value: Value): void {
    const whole = keyOf(kind, at, key);
    this.#entries.set(whole, value, { size: 100 + 2 * whole.length + Math.ceil(kind.bytes(value)) });
  }

  /** Returns the cached value, or computes and caches it with `make`. Concurrent callers share one call of `make`. */
  async once<Value extends object>(
    kind: CacheKind<Value>,
    at: RevisionKey,
    key: string,
    make: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.get(kind, at, key);
    if (known !== undefined) return known;
    const made = await this.#underWay.do(keyOf(kind, at, key), async () => {
      const value = await make();
      this.keep(kind, at, key, value);
      return value;
    });
    return made as Value;
  }

  clear(): void {
    this.#entries.clear();
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }
}

function keyOf(
  { name }: { readonly name: string },
  { history, erasures, revision }: RevisionKey,
  key: string,
): string {
  return `${name} ${history}.${erasures}.${revision}/${key}`;
}
