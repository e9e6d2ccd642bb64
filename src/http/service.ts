import type { Documents } from "../store/memory/documents.ts";
import type { Store } from "../store/store.ts";
import type { WorkerMetrics } from "./metrics/workers.ts";
import type { PageCache } from "./listings/page-cache.ts";
import type { RateLimit } from "./admission/rate-limit.ts";

export interface Service {
  readonly store: Store;
  /** The address that clients use, without `/v1` and without a final slash. */
  publicUrl: string;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` header is trusted. By default, none is. */
  readonly trustedProxies?: readonly string[];
  readonly version: string;
  readonly pages: PageCache;
  readonly documents: Documents;
  readonly rateLimit: RateLimit;
  /** The rows read for pages since the server started. */
  rowsRead: number;
  draining: boolean;
  readonly workers?: WorkerMetrics | undefined;
}
