/** Texts for people: compared, counted, quoted, put on one line, and suggested for a mistyped one. */

/** A text in Unicode form NFC. Texts without characters above U+02FF are in it, and are not normalized: that is slow. */
export function nfc(text: string): string {
  return /[\u0300-\uffff]/.test(text) ? text.normalize("NFC") : text;
}

/** Whether a person sees the same text: the spellings of an accent, `é` and `e` with U+0301, are equal in NFC. */
export function looksSame(one: string, other: string): boolean {
  return one === other || nfc(one) === nfc(other);
}

/**
 * Folds a title or a filter, so that a comparison ignores case (docs/api.md, endpoint 9): `ÉCOLE` matches
 * `École`, `STRASSE` matches `Straße`. A folded U+0000 in a filter becomes a final sigma, which no folded title
 * contains: PostgreSQL does not store U+0000, and no title has one.
 */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC")
    .replaceAll("\0", "ς");
}

/** A number and its noun, such as `1 member` or `1,200 members`. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Bytes in millions, such as `0.4`. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Puts a text on one line of a terminal: control characters, such as those that move the cursor, become spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

const MOST_SHOWN = 100;

/** A value for an error message: quoted, and cut after 100 characters. */
export function quote(value: string): string {
  const characters = [...value];
  return JSON.stringify(
    characters.length <= MOST_SHOWN ? value : `${characters.slice(0, MOST_SHOWN).join("")}…`,
  );
}

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

/** Joins words to a command line, quoted for a POSIX shell. */
export function commandLine(...words: string[]): string {
  return words.map(shellWord).join(" ");
}

/** A file name as a word of a command line: before a relative one stands `./`, so that none is read as an option. */
export function fileWord(name: string): string {
  return /^(?:\.{0,2}\/|[A-Za-z]:[\\/])/.test(name) ? name : `./${name}`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
