/**
 * Who goes on: one writer, and a server that answers several at the same time. The writer goes on alone until its next
 * step, the server until it waits for its next read; whose turn is next is chosen, not a matter of time.
 */
export class Turns {
  readonly #choices: readonly number[];
  #made = 0;
  #server: (() => void)[] = [];
  #writer: (() => void)[] = [];
  /** Called when the writer waits for its turn, or has ended. */
  #stopped = (): void => {};
  #isRunning = false;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  /** Resolves when the server may go on. */
  ofServer(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => this.#server.push(resolve));
  }

  /** Resolves when the writer may go on. */
  ofWriter(): Promise<void> {
    return new Promise((resolve) => {
      this.#writer.push(resolve);
      this.#stopped();
    });
  }

  /** Runs the writer and those whom the server answers, until all have ended. Rejects if one of them does. */
  async run(write: () => Promise<void>, asked: readonly (() => Promise<void>)[]): Promise<void> {
    this.#isRunning = true;
    let left = asked.length;
    const isStopped = () => new Promise<void>((resolve) => (this.#stopped = resolve));
    let stopped = isStopped();
    let isWritten = false;
    const written = write().finally(() => {
      isWritten = true;
      this.#stopped();
    });
    const answered = asked.map((ask) => ask().finally(() => left--));
    const all = Promise.all([written, ...answered]);
    // An error is thrown at the end, when nobody goes on any more.
    all.catch(() => {});
    for (;;) {
      if (!isWritten) await stopped;
      await this.#settled();
      const choice = this.#choice();
      // An import has more steps than a page.
      const isOfWriter = choice % WRITER_OF !== 0 || this.#server.length === 0;
      const [first] = isOfWriter ? this.#writer : [];
      if (first !== undefined) {
        this.#writer.shift();
        if (this.#writer.length === 0) stopped = isStopped();
        first();
        continue;
      }
      const [next] = this.#server.splice(Math.floor(choice / WRITER_OF) % this.#server.length, 1);
      if (next !== undefined) next();
      else if (this.#writer.length === 0) break;
    }
    this.#isRunning = false;
    if (left > 0) throw new Error(`${left} of those who ask wait for nothing.`);
    await all;
  }

  #choice(): number {
    return this.#choices[this.#made++ % this.#choices.length] ?? 0;
  }

  /** Resolves when the server has done all that it can without a turn. */
  async #settled(): Promise<void> {
    for (let calm = 0, known = -1; calm < CALM; calm++) {
      if (this.#server.length !== known) calm = 0;
      known = this.#server.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Of so many turns, the writer has all but one, if it waits for one. */
const WRITER_OF = 4;

/** In so many iterations of the event loop in a row, nothing came. */
const CALM = 10;
