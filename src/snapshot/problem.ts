/** What is wrong in a file, for the person who made it. */
export interface Problem {
  readonly file: string;
  /** From 1; absent if the whole file is meant. */
  readonly line?: number | undefined;
  readonly message: string;
}

/** The most problems that are printed. The others are counted. */
const PRINTED = 20;

/** `more` counts the other lines with the same problem. */
interface CountedProblem extends Problem {
  more: number;
}

/** Counts problems, and keeps the first ones. The same problem on many lines is one message. */
export class Problems {
  readonly #first = new Map<string, CountedProblem>();
  #named = 0;
  #count = 0;

  add(problem: Problem): void {
    this.#count++;
    const key = `${problem.file}\n${problem.message}`;
    const same = this.#first.get(key);
    if (same !== undefined) same.more++;
    else if (this.#first.size < PRINTED) this.#first.set(key, { ...problem, more: 0 });
    else return;
    this.#named++;
  }

  /** Counts problems that have no message. */
  addUnnamed(count: number): void {
    this.#count += count;
  }

  get count(): number {
    return this.#count;
  }

  /** A line for each kept problem, then the number of the others. */
  toString(): string {
    const lines = [...this.#first.values()].map(({ file, line, message, more }) => {
      const place = line === undefined ? file : `${file}:${line}`;
      return `${place}: ${message}${more === 0 ? "" : ` (and in ${more} more ${more === 1 ? "line" : "lines"})`}`;
    });
    const more = this.#count - this.#named;
    return more === 0 ? lines.join("\n") : [...lines, `… and ${more} more.`].join("\n");
  }
}

const MOST_SHOWN = 100;

/** A value for an error message: JSON, cut after 100 characters, with control characters escaped. */
export function show(value: unknown): string {
  return escaped(jsonOf(value));
}

/** A field name for an error message: like a value, without quotes. */
export function showName(name: string): string {
  return escaped(JSON.stringify(name).slice(1, -1));
}

function escaped(json: string): string {
  // Only the part that is shown: a value may have a mebibyte.
  const text = json
    .slice(0, 2 * MOST_SHOWN + 2)
    .replaceAll(
      /\p{Cc}|\p{Cf}|[\u2028\u2029]/gu,
      (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
    );
  const characters = [...text];
  return characters.length <= MOST_SHOWN ? text : `${characters.slice(0, MOST_SHOWN).join("")}…`;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // The value is nested too deep for `JSON.stringify`.
    return "…";
  }
}
