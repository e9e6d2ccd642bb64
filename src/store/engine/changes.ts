import type { Marks } from "./marks.ts";

/**
 * Versions of the changes of organizations that this process has noticed. Each change increases the version. What was
 * read at a version is valid for an organization while {@link of} is not greater.
 */
export class Changes {
  #version = 0;
  #all = 0;
  readonly #organizations = new Map<string, number>();
  #marks: Marks | undefined;

  /** The number of noticed changes. */
  get version(): number {
    return this.#version;
  }

  /** The version at which an organization last changed. */
  of(organization: string): number {
    return Math.max(this.#all, this.#organizations.get(organization) ?? 0);
  }

  /** The last known revision. `undefined` at the beginning and after {@link doubt}. */
  get revision(): number | undefined {
    return this.#marks?.revision;
  }

  /**
   * Compares with newly read marks, and returns whether anything changed. `published` returns the organizations with
   * revisions after a number, or `undefined` if unknown; it is only called if needed.
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
   * Makes the next observation count as a change of all organizations: the last one may be of a rolled-back
   * transaction.
   */
  doubt(): void {
    this.#marks = undefined;
  }
}
