import { type Engine, statement } from "../engine/engine.ts";

const HOUR = 60 * 60_000;
/** The time between two batches, and before the first batch, in milliseconds. */
const EVERY = 10 * 60_000;
const FIRST = 1_000;
/** The largest number of tokens in a batch; others wait for the next one. */
const LARGEST = 5_000;

/** Updates existing rows only, so that a revoked token is not inserted again. */
const USED = statement<never>(
  ({ texts }) => `
    UPDATE token SET last_used_at = $1
      WHERE id IN (SELECT used.value FROM ${texts("$2", "used")}) AND (last_used_at IS NULL OR last_used_at < $1)`,
);

/**
 * Records the last use of each token, to the hour, for `rolebook token list`. Recording is a look-up in a set; new
 * uses are written in batches, which wait while the database is busy.
 */
export class LastUsed {
  readonly #engine: Engine;
  readonly #failed: (error: unknown) => void;
  readonly #every: number;
  readonly #first: number;
  /** The current hour since 1970, and the tokens used in it. */
  #hour = 0;
  readonly #used = new Set<string>();
  /** Uses that have not been written: token and hour. */
  readonly #unwritten = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #written = -Infinity;

  /** `failed` receives unexpected errors; `every` and `first` are for tests. */
  constructor(engine: Engine, failed: (error: unknown) => void, { every = EVERY, first = FIRST } = {}) {
    this.#engine = engine;
    this.#failed = failed;
    this.#every = every;
    this.#first = first;
  }

  /** Records a use of the token with this id. */
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

  /** Writes the remaining uses. Do not record a use after this call. */
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
      // Keeps a token that was used again in the next hour.
      for (const id of ids) if (this.#unwritten.get(id) === hour) this.#unwritten.delete(id);
    }
  }
}
