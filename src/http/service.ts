import type { Store } from "../store/store.ts";
import type { Fellows } from "./metrics/fellows.ts";
import type { PageCache } from "./listings/page-cache.ts";
import type { RateLimit } from "./admission/rate-limit.ts";

/** What the routes share. */
export interface Service {
  readonly store: Store;
  /** The address that clients use, without `/v1` and without a trailing slash. */
  publicUrl: string;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; by default none. */
  readonly trustedProxies?: readonly string[];
  readonly version: string;
  readonly pages: PageCache;
  readonly rateLimit: RateLimit;
  /** Page rows read since the start. */
  rowsRead: number;
  /** Whether the server has begun to stop. */
  draining: boolean;
  readonly fellows?: Fellows | undefined;
}
