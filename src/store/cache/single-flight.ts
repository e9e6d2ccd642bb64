/** Shares running work between concurrent callers, by key. Keeps no results and no failures. */
export class SingleFlight<Result> {
  readonly #underWay = new Map<string, Promise<Result>>();

  /**
   * Returns the result of the running work for `key`, or starts `work` if none runs. A failure rejects all waiting
   * callers.
   */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }
}
