/** The largest number of rows at full height: browsers limit elements to some 33 million px. */
const TALLEST = 500_000;

/**
 * Maps rows of equal height to px of a scroller: each at its own place, or, with too many rows, in proportion, so that
 * the last row is still at the end. Places count from the beginning of the rows.
 */
export class Stretch {
  /** The height of all rows, in px. */
  readonly height: number;
  readonly #row: number;
  /** The px of rows per px of scrolling. */
  readonly #pace: number;

  /** `row` is the height of a row, `view` the visible height, both in px. */
  constructor(count: number, row: number, view: number) {
    this.#row = row;
    this.height = Math.min(count, TALLEST) * row;
    this.#pace = count <= TALLEST ? 1 : (count * row - view) / (this.height - view);
  }

  /** The row, with a fraction, at the top when scrolled to `place`. */
  rowAt(place: number): number {
    return (place * this.#pace) / this.#row;
  }

  /** The position of a row when scrolled to `place`. */
  placeOf(row: number, place: number): number {
    return row * this.#row + place * (1 - this.#pace);
  }

  /** The scroll position with a row at the top. */
  placeFor(row: number): number {
    return (row * this.#row) / this.#pace;
  }
}
