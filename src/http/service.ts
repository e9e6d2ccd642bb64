import type { Store } from "../store/store.ts";
import type { WorkerMetrics } from "./request-times.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Sessions } from "./sign-in/sessions.ts";

import type { Answered } from "./exchange.ts";
import type { Load } from "./load.ts";

export interface Service {
  readonly store: Store;
  /** The address that clients use, without `/v1` and without a final slash. */
  publicUrl: string;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` header is trusted. By default, none is. */
  readonly trustedProxies?: readonly string[];
  readonly version: string;
  /** Whether the log says who looked at what. By default, it does not. */
  readonly logAccess?: boolean;
  readonly responses: ResponseCache;
  readonly rateLimit: RateLimit;
  /** The sessions of people who signed in; absent if sign-in is not set up. */
  readonly sessions?: Sessions | undefined;
  readonly load: Load;
  /** The pages since the server started, without those from the cache. */
  pagesRead: number;
  draining: boolean;
  /** Whether the server still loads the organizations that were used last. By default, it does not. */
  loading?: boolean;
  /** Called for each request when its answer is sent. */
  readonly onAnswered?: (answered: Answered) => void;
  readonly workers?: WorkerMetrics | undefined;
}
