/** How many letters have to be put in, taken out or exchanged to make one text of the other (Levenshtein). */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const diagonal = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1);
      next.push(Math.min(diagonal, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** How many are offered in place of what is not there. */
const OFFERED = 3;
/** A slip of the hand takes so many letters at least, and in a long text a part of them. */
const SLIP = 2;
const PART = 1 / 4;

/**
 * Keeps the ids that somebody may have meant by `wanted`: what is spelt nearly like it, or is called so. Capitals are
 * no difference.
 */
export class Nearest {
  readonly #wanted: string;
  readonly #limit: number;
  readonly #found: { readonly id: string; readonly far: number }[] = [];

  constructor(wanted: string) {
    this.#wanted = wanted.toLowerCase();
    this.#limit = Math.max(SLIP, Math.floor(wanted.length * PART));
  }

  /** `names` is what else the thing is called. */
  add(id: string, ...names: readonly string[]): void {
    const far = Math.min(...[id, ...names].map((name) => this.#far(name.toLowerCase())));
    if (far > this.#limit) return;
    this.#found.push({ id, far });
    this.#found.sort((a, b) => a.far - b.far);
    this.#found.length = Math.min(this.#found.length, OFFERED);
  }

  /** The nearest first. */
  get ids(): readonly string[] {
    return this.#found.map(({ id }) => id);
  }

  #far(name: string): number {
    if (Math.abs(name.length - this.#wanted.length) > this.#limit) return Number.POSITIVE_INFINITY;
    return distance(name, this.#wanted);
  }
}
