import { Observable } from "../parts/observable.ts";

/** Why the page sends no requests now, or that the server is back. Times are milliseconds since 1970. */
export type Trouble =
  | { readonly kind: "away"; readonly readAt: number | undefined; readonly nextAt: number }
  | { readonly kind: "limited"; readonly nextAt: number }
  | { readonly kind: "back" };

/**
 * The state of the connection to the server. While it is paused, all requests wait, and only one probe is sent again
 * and again.
 */
export interface Connection {
  readonly trouble: Observable<Trouble | undefined>;
  /** Resolves when requests may be sent. */
  open(signal?: AbortSignal): Promise<void>;
  reached(): void;
  /** Records that the server did not answer, or answered 502, 503 or 504, with its `Retry-After` in seconds. */
  lost(retryAfter?: number): void;
  /** Records that the server answered 429, with its `Retry-After` in seconds. */
  limited(retryAfter: number): void;
  tryNow(): void;
  stop(): void;
}

/** The pauses between probes, in seconds; the last one repeats. */
const PAUSES = [1, 2, 4, 8, 15, 30];
/** How long (ms) the page says that the server is back. */
const BACK_FOR = 4000;

/** `probe` sends a small request, and resolves to whether the server answered. */
export function createConnection(probe: () => Promise<boolean>): Connection {
  const trouble = new Observable<Trouble | undefined>(undefined);
  let readAt: number | undefined;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let probing = false;

  const isClosed = () => trouble.value?.kind === "away" || trouble.value?.kind === "limited";

  function schedule(seconds: number, run: () => void): number {
    clearTimeout(timer);
    timer = setTimeout(run, seconds * 1000);
    return Date.now() + seconds * 1000;
  }

  function pause(retryAfter?: number): void {
    const seconds = retryAfter ?? PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 30;
    tries++;
    trouble.set({ kind: "away", readAt, nextAt: schedule(seconds, () => void tryAgain()) });
  }

  async function tryAgain(): Promise<void> {
    if (probing) return;
    probing = true;
    const answered = await probe().catch(() => false);
    probing = false;
    if (trouble.value?.kind !== "away") return;
    if (!answered) return pause();
    tries = 0;
    readAt = Date.now();
    trouble.set({ kind: "back" });
    schedule(BACK_FOR / 1000, () => trouble.set(undefined));
  }

  return {
    trouble,
    async open(signal) {
      while (isClosed()) {
        await new Promise<void>((resolve) => {
          const done = () => {
            unsubscribe();
            signal?.removeEventListener("abort", done);
            resolve();
          };
          const unsubscribe = trouble.subscribe(done);
          signal?.addEventListener("abort", done);
        });
        signal?.throwIfAborted();
      }
    },
    reached() {
      readAt = Date.now();
    },
    lost(retryAfter) {
      if (trouble.value?.kind !== "away") pause(retryAfter);
    },
    limited(retryAfter) {
      if (isClosed()) return;
      const nextAt = schedule(retryAfter, () => trouble.set(undefined));
      trouble.set({ kind: "limited", nextAt });
    },
    tryNow() {
      if (trouble.value?.kind === "away") void tryAgain();
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
