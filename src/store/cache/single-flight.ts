/**
 * Work that several ask for at once, by key: the first one's is under way for all of them. Nothing is remembered of it,
 * least of all that it failed.
 */
export class SingleFlight<Result> {
  readonly #underWay = new Map<string, Promise<Result>>();

  /** What the work under way for `key` comes to, else what `work` does. Rejects for all who wait as `work` does. */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }
}
