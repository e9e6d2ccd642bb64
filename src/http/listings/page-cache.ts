import { LRUCache } from "lru-cache";
import { type Body, encoded } from "./body.ts";
import { SingleFlight } from "../../store/cache/single-flight.ts";

/** The most memory for the keys of pages that were requested once, in bytes. */
const NOTED = 1 << 20;

/**
 * Caches rendered pages, bounded in bytes. A page is cached at its second request: pages that are requested only once
 * would evict the others. The key has the revision and the listing, so a page is never stale and serves every caller
 * who may list it.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Body>;
  readonly #once = new LRUCache<string, true>({
    maxSize: NOTED,
    sizeCalculation: (_, key) => 2 * key.length + 200,
  });
  readonly #making = new SingleFlight<Body | undefined>();
  readonly #atOnce: boolean;
  hits = 0;
  misses = 0;

  /** `atOnce` caches a page at its first request, for tests. */
  constructor(bytes: number, atOnce = false) {
    this.#atOnce = atOnce;
    this.#pages = new LRUCache({
      maxSize: bytes,
      sizeCalculation: (page, key) => page.length + 2 * key.length + 200,
    });
  }

  /** Does not count as a hit or a miss, unlike `get`. */
  has(key: string): boolean {
    return this.#pages.has(key);
  }

  get(key: string): Body | undefined {
    const page = this.#pages.get(key);
    if (page === undefined) this.misses++;
    else this.hits++;
    return page;
  }

  /** Renders a page once for all concurrent requests. A failure is not cached. */
  make(key: string, make: () => Promise<Body | undefined>): Promise<Body | undefined> {
    return this.#making.do(key, make);
  }

  keep(key: string, page: Body): void {
    if (this.#atOnce || this.#once.delete(key)) this.#pages.set(key, encoded(page));
    else this.#once.set(key, true);
  }

  get bytes(): number {
    return this.#pages.calculatedSize;
  }
}
