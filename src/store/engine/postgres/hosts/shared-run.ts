/** Runs one task for many callers, one run at a time. All callers who asked before a run began share the run. */
export class SharedRun {
  readonly #run: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(run: () => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when a run that began after this call has ended. Rejects if that run rejects. */
  next(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    this.#next = this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#running = this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }
}
