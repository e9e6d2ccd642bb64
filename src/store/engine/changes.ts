import type { Marks } from "./marks.ts";

/**
 * When organizations changed, as far as a process has noticed: in versions, which grow with each change. What was read
 * at a version holds for an organization while {@link of} is no greater.
 */
export class Changes {
  #version = 0;
  #all = 0;
  readonly #organizations = new Map<string, number>();
  #marks: Marks | undefined;

  /** The number of changes that were noticed. */
  get version(): number {
    return this.#version;
  }

  /** The version at which an organization last changed. */
  of(organization: string): number {
    return Math.max(this.#all, this.#organizations.get(organization) ?? 0);
  }

  /** The last revision of which is known: those after it are news. `undefined` where all is. */
  get revision(): number | undefined {
    return this.#marks?.revision;
  }

  /**
   * Takes what was seen in the database; true where it has changed. `published` gives the organizations that have
   * revisions after one, or `undefined` where that cannot be told; it is asked only where that matters.
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

  /** What was seen last may have been undone: whatever is seen next, all organizations have changed. */
  doubt(): void {
    this.#marks = undefined;
  }
}
