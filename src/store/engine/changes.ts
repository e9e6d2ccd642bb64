import type { Marks } from "./marks.ts";

/**
 * The changes of organizations that a process has noticed, as versions: the version increases with each change. What
 * was read at a version is valid for an organization while {@link of} is not greater.
 */
export class Changes {
  #version = 0;
  #all = 0;
  readonly #organizations = new Map<string, number>();
  #marks: Marks | undefined;

  /** The number of changes noticed so far. */
  get version(): number {
    return this.#version;
  }

  /** The version at which an organization last changed. */
  of(organization: string): number {
    return Math.max(this.#all, this.#organizations.get(organization) ?? 0);
  }

  /** The last known revision: later ones are new. `undefined` if all changes are known. */
  get revision(): number | undefined {
    return this.#marks?.revision;
  }

  /**
   * Compares with what was read from the database; returns whether it has changed. `published` gives the
   * organizations with revisions after a given one, or `undefined` if that is unknown. It is called only if it
   * matters.
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

  /**
   * The last observation may be of a transaction that was rolled back: the next one counts as a change of all
   * organizations.
   */
  doubt(): void {
    this.#marks = undefined;
  }
}
