import type { Store } from "../store/store.ts";
import type { WorkerMetrics } from "./metrics/workers.ts";
import type { PageCache } from "./listings/page-cache.ts";
import type { RateLimit } from "./admission/rate-limit.ts";

/** The state that the routes share. */
export interface Service {
  readonly store: Store;
  /** The address that clients use, without `/v1` and without a trailing slash. */
  publicUrl: string;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted; none by default. */
  readonly trustedProxies?: readonly string[];
  readonly version: string;
  readonly pages: PageCache;
  readonly rateLimit: RateLimit;
  /** Rows read for pages since the start. */
  rowsRead: number;
  /** Whether the server is stopping. */
  draining: boolean;
  readonly workers?: WorkerMetrics | undefined;
}
