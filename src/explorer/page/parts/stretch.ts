/** Lists are as high as their rows up to so many of them: browsers draw no element of more than some 33 million px. */
const TALLEST = 500_000;

/**
 * How many rows of one height lie over px of a scroller: each at its own place, or, where they are too many for
 * that, in proportion, so that the last one is at the end all the same. Places count from where the rows begin.
 */
export class Stretch {
  /** Of all rows, in px. */
  readonly height: number;
  readonly #row: number;
  /** How many px of rows a px of scrolling passes. */
  readonly #pace: number;

  /** `row` is the height of one, `view` what is seen at once, both in px. */
  constructor(count: number, row: number, view: number) {
    this.#row = row;
    this.height = Math.min(count, TALLEST) * row;
    this.#pace = count <= TALLEST ? 1 : (count * row - view) / (this.height - view);
  }

  /** The row, with a fraction, that is at the top when one scrolled to `place`. */
  rowAt(place: number): number {
    return (place * this.#pace) / this.#row;
  }

  /** Where a row is drawn while one is at `place`. */
  placeOf(row: number, place: number): number {
    return row * this.#row + place * (1 - this.#pace);
  }

  /** Where one has to scroll for a row to be at the top. */
  placeFor(row: number): number {
    return (row * this.#row) / this.#pace;
  }
}
