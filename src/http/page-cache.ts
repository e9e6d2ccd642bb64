import { LRUCache } from "lru-cache";

/**
 * Rendered pages, bounded in bytes. A page depends on its snapshot and its listing only, so one serves every caller
 * who may see it, and none can be stale.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Buffer>;
  hits = 0;
  misses = 0;

  constructor(bytes: number) {
    this.#pages = new LRUCache({
      maxSize: bytes,
      sizeCalculation: (page, key) => page.length + 2 * key.length + 200,
    });
  }

  /** Whether `get` would find it; counted as neither. */
  has(key: string): boolean {
    return this.#pages.has(key);
  }

  get(key: string): Buffer | undefined {
    const page = this.#pages.get(key);
    if (page === undefined) this.misses++;
    else this.hits++;
    return page;
  }

  keep(key: string, page: Buffer): void {
    this.#pages.set(key, page);
  }

  get bytes(): number {
    return this.#pages.calculatedSize;
  }
}
