import { Observable } from "../parts/observable.ts";

/** Why the page sends no requests now, or that the server is back. Times are milliseconds since 1970. */
export type Trouble =
  | { readonly kind: "away"; readonly readAt: number | undefined; readonly nextAt: number }
  | { readonly kind: "limited"; readonly nextAt: number }
  | { readonly kind: "back" };

/** Whether requests wait. */
export function pauses(trouble: Trouble | undefined): boolean {
  return trouble?.kind === "away" || trouble?.kind === "limited";
}

/** The pauses between probes, in seconds; the last one repeats. */
const PAUSES = [1, 2, 4, 8, 15, 30];
/** How long (ms) the page says that the server is back. */
const BACK_FOR = 4000;

/**
 * The state of the connection to the server. While it is paused, all requests wait, and only one probe is sent again
 * and again.
 */
export class ServerConnection {
  readonly trouble = new Observable<Trouble | undefined>(undefined);
  readonly #probe: () => Promise<boolean>;
  #readAt: number | undefined;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isProbing = false;

  /** `probe` sends a small request, and resolves to whether the server answered. */
  constructor(probe: () => Promise<boolean>) {
    this.#probe = probe;
  }

  /** Resolves when requests may be sent. */
  async open(signal?: AbortSignal): Promise<void> {
    while (this.#isPaused) {
      await new Promise<void>((resolve) => {
        const done = () => {
          unsubscribe();
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const unsubscribe = this.trouble.subscribe(done);
        signal?.addEventListener("abort", done);
      });
      signal?.throwIfAborted();
    }
  }

  reached(): void {
    this.#readAt = Date.now();
  }

  /** Records that the server did not answer, or answered 502, 503 or 504, with its `Retry-After` in seconds. */
  lost(retryAfter?: number): void {
    if (this.trouble.value?.kind !== "away") this.#pause(retryAfter);
  }

  /** Records that the server answered 429, with its `Retry-After` in seconds. */
  limited(retryAfter: number): void {
    if (this.#isPaused) return;
    const nextAt = this.#schedule(retryAfter, () => this.trouble.set(undefined));
    this.trouble.set({ kind: "limited", nextAt });
  }

  tryNow(): void {
    if (this.trouble.value?.kind === "away") void this.#tryAgain();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  get #isPaused(): boolean {
    return pauses(this.trouble.value);
  }

  #schedule(seconds: number, run: () => void): number {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, seconds * 1000);
    return Date.now() + seconds * 1000;
  }

  #pause(retryAfter?: number): void {
    const seconds = retryAfter ?? PAUSES[Math.min(this.#tries, PAUSES.length - 1)] ?? 30;
    this.#tries++;
    const nextAt = this.#schedule(seconds, () => void this.#tryAgain());
    this.trouble.set({ kind: "away", readAt: this.#readAt, nextAt });
  }

  async #tryAgain(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const isAnswered = await this.#probe().catch(() => false);
    this.#isProbing = false;
    if (this.trouble.value?.kind !== "away") return;
    if (!isAnswered) return this.#pause();
    this.#tries = 0;
    this.reached();
    this.trouble.set({ kind: "back" });
    this.#schedule(BACK_FOR / 1000, () => this.trouble.set(undefined));
  }
}
