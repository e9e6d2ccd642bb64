import type { Marks } from "./marks.ts";

/**
 * The organizations that changed, as far as this process has noticed. Each noticed change increments the version. What
 * was read of an organization at version V is current as long as {@link of} returns V or less.
 */
export class Changes {
  #version = 0;
  #all = 0;
  readonly #organizations = new Map<string, number>();
  #marks: Marks | undefined;

  get version(): number {
    return this.#version;
  }

  /** The version at which an organization last changed. */
  of(organization: string): number {
    return Math.max(this.#all, this.#organizations.get(organization) ?? 0);
  }

  /**
   * The latest revision of any organization, as last read; `undefined` before the first call of {@link see} and after
   * {@link doubt}.
   */
  get revision(): number | undefined {
    return this.#marks?.revision;
  }

  /**
   * Compares newly read marks with the previous ones, and returns whether anything changed. `published` returns the
   * organizations with revisions after a number, or `undefined` if they are unknown; it is called only if needed.
   */
  see(marks: Marks, published: (after: number) => readonly string[] | undefined): boolean {
    const known = this.#marks;
    if (known?.change === marks.change) return false;
    this.#marks = marks;
    const onlyRevisions = known?.reset === marks.reset && known.revision <= marks.revision;
    const organizations = onlyRevisions ? published(known.revision) : undefined;
    this.#version++;
    if (organizations === undefined) {
      this.#all = this.#version;
      this.#organizations.clear();
    } else {
      for (const each of organizations) this.#organizations.set(each, this.#version);
    }
    return true;
  }

  /** Counts a change of an organization that the marks do not show. */
  note(organization: string): void {
    this.#organizations.set(organization, ++this.#version);
  }

  /**
   * Makes the next call of {@link see} count as a change of all organizations. Call it when the last marks may come
   * from a transaction that was rolled back.
   */
  doubt(): void {
    this.#marks = undefined;
  }
}
