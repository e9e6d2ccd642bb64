import { type Engine, statement } from "../engine/engine.ts";

const HOUR = 60 * 60_000;
/** The interval between two batches, and the delay before the first one, in milliseconds. */
const EVERY = 10 * 60_000;
const FIRST = 1_000;
/** The maximum number of tokens in a batch. Other tokens wait for the next batch. */
const LARGEST = 5_000;

/** Updates existing rows only, so that a revoked token is not inserted again. */
const USED = statement<never>(
  ({ texts }) => `
    UPDATE token SET last_used_at = $1
      WHERE id IN (SELECT used.value FROM ${texts("$2", "used")}) AND (last_used_at IS NULL OR last_used_at < $1)`,
);

/**
 * Records the last use of each token, to the hour, for `rolebook token list`. `note` is cheap: one look-up in a set.
 * Uses are written in batches, and a batch waits while the database is busy.
 */
export class LastUsed {
  readonly #engine: Engine;
  readonly #failed: (error: unknown) => void;
  readonly #every: number;
  readonly #first: number;
  /** The current hour, in hours since 1970, and the tokens used in it. */
  #hour = 0;
  readonly #used = new Set<string>();
  /** The hour of each last use that has not been written, by token id. */
  readonly #unwritten = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #written = -Infinity;

  /** `failed` receives unexpected errors. `every` and `first` are in milliseconds, and only tests set them. */
  constructor(engine: Engine, failed: (error: unknown) => void, { every = EVERY, first = FIRST } = {}) {
    this.#engine = engine;
    this.#failed = failed;
    this.#every = every;
    this.#first = first;
  }

  note(id: string): void {
    const hour = Math.floor(Date.now() / HOUR);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#used.clear();
    }
    if (this.#used.has(id)) return;
    this.#used.add(id);
    this.#unwritten.set(id, hour);
    this.#schedule();
  }

  /** Writes the remaining uses, one batch at most. Do not call `note` afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    const wait = Math.max(this.#first, this.#written + this.#every - performance.now());
    this.#timer ??= setTimeout(() => void this.#write(), wait).unref();
  }

  async #write(): Promise<void> {
    this.#written = performance.now();
    this.#timer = undefined;
    try {
      await this.#writeBatch();
    } catch (error) {
      this.#failed(error);
    }
    if (this.#unwritten.size > 0) this.#schedule();
  }

  async #writeBatch(): Promise<void> {
    const batch = [...this.#unwritten].slice(0, LARGEST);
    for (const [hour, tokens] of Map.groupBy(batch, ([, each]) => each)) {
      const ids = tokens.map(([id]) => id);
      const changed = await this.#engine.writeIfFree(USED, new Date(hour * HOUR).toISOString(), ids);
      if (changed === undefined) return;
      // A token that was used again in a later hour stays for the next batch.
      for (const id of ids) if (this.#unwritten.get(id) === hour) this.#unwritten.delete(id);
    }
  }
}
