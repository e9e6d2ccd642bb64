/** The edit distance between two texts (Levenshtein): inserted, removed and replaced letters. */
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

const OFFERED = 3;
/** A suggestion differs by at most SLIP letters; from a long text, by at most PART of its length. */
const SLIP = 2;
const PART = 1 / 4;

/** Collects suggestions for a mistyped id: ids whose spelling or other names are similar, ignoring case. */
export class Nearest {
  readonly #wanted: string;
  readonly #limit: number;
  readonly #found: { readonly id: string; readonly far: number }[] = [];

  constructor(wanted: string) {
    this.#wanted = wanted.toLowerCase();
    this.#limit = Math.max(SLIP, Math.floor(wanted.length * PART));
  }

  /** `names` are other names of the same record. */
  add(id: string, ...names: readonly string[]): void {
    const far = Math.min(...[id, ...names].map((name) => this.#far(name.toLowerCase())));
    if (far > this.#limit) return;
    this.#found.push({ id, far });
    this.#found.sort((a, b) => a.far - b.far);
    this.#found.length = Math.min(this.#found.length, OFFERED);
  }

  /** Nearest first. */
  get ids(): readonly string[] {
    return this.#found.map(({ id }) => id);
  }

  #far(name: string): number {
    if (Math.abs(name.length - this.#wanted.length) > this.#limit) return Number.POSITIVE_INFINITY;
    return distance(name, this.#wanted);
  }
}
