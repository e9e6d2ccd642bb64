import { type Engine, statement } from "../engine/engine.ts";

const HOUR = 60 * 60_000;
/** How long one batch comes after the other at least, and the first after the first use, in milliseconds. */
const EVERY = 10 * 60_000;
const FIRST = 1_000;
/** How many tokens a batch takes; more wait for the next one. */
const LARGEST = 5_000;

/** Rows that are there, and no others: who ended a token meanwhile does not get it back. */
const USED = statement<never>(
  ({ texts }) => `
    UPDATE token SET last_used_at = $1
      WHERE id IN (SELECT used.value FROM ${texts("$2", "used")}) AND (last_used_at IS NULL OR last_used_at < $1)`,
);

/**
 * When tokens were last used, to the hour, for `rolebook token list`. A use costs a look at a set; what is new is
 * written now and then, and where that cannot be done at once it is left for the next time.
 */
export class LastUsed {
  readonly #engine: Engine;
  readonly #failed: (error: unknown) => void;
  readonly #every: number;
  readonly #first: number;
  /** The running hour, since 1970, and the tokens that were used in it. */
  #hour = 0;
  readonly #used = new Set<string>();
  /** What is not written yet: token and hour. */
  readonly #unwritten = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #written = -Infinity;

  /** `failed` hears of what cannot be foreseen; `every` and `first` are for tests. */
  constructor(engine: Engine, failed: (error: unknown) => void, { every = EVERY, first = FIRST } = {}) {
    this.#engine = engine;
    this.#failed = failed;
    this.#every = every;
    this.#first = first;
  }

  /** Notes that the token with this id is used now. */
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

  /** Writes what is left; nothing is noted after it. */
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
      // A use in the next hour may have come meanwhile.
      for (const id of ids) if (this.#unwritten.get(id) === hour) this.#unwritten.delete(id);
    }
  }
}
