import { LRUCache } from "lru-cache";
import { type Body, encoded } from "./body.ts";
import { SingleFlight } from "../../store/cache/single-flight.ts";

/** What is noted of pages that were asked for once, in bytes. */
const NOTED = 1 << 20;

/**
 * Rendered pages, bounded in bytes, from the second time on that one is asked for: pages that nobody asks for again
 * would push out the others, and V8 frees late what it has once taken for old. A page depends on its revision and its
 * listing only, so one serves every caller who may see it, and none can be stale.
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

  /** `atOnce` keeps pages from the first time on, for tests. */
  constructor(bytes: number, atOnce = false) {
    this.#atOnce = atOnce;
    this.#pages = new LRUCache({
      maxSize: bytes,
      sizeCalculation: (page, key) => page.length + 2 * key.length + 200,
    });
  }

  /** Whether `get` would find it; counted as neither. */
  has(key: string): boolean {
    return this.#pages.has(key);
  }

  get(key: string): Body | undefined {
    const page = this.#pages.get(key);
    if (page === undefined) this.misses++;
    else this.hits++;
    return page;
  }

  /** A page that nobody has: made once for all who ask for it meanwhile; nothing is remembered of one that failed. */
  make(key: string, make: () => Promise<Body | undefined>): Promise<Body | undefined> {
    return this.#making.do(key, make);
  }

  /** Keeps a page that was rendered, unless it is the first time. */
  keep(key: string, page: Body): void {
    if (this.#atOnce || this.#once.delete(key)) this.#pages.set(key, encoded(page));
    else this.#once.set(key, true);
  }

  get bytes(): number {
    return this.#pages.calculatedSize;
  }
}
