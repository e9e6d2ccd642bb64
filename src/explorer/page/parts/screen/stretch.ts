/** The largest number of rows at full height: browsers limit elements to some 33 million px. */
const TALLEST = 500_000;

/**
 * Converts between rows of equal height and scroll positions. With up to {@link TALLEST} rows, a px of scrolling moves
 * the rows by a px. With more rows it moves them by more, so that the last row is at the end of the scroller. `place`
 * is a scroll position in px from the beginning of the rows.
 */
export class Stretch {
  /** The height of all rows, in px. */
  readonly height: number;
  readonly #row: number;
  /** How many px the rows move per px of scrolling. */
  readonly #pace: number;

  /** `row` is the height of a row, `view` the visible height, both in px. */
  constructor(count: number, row: number, view: number) {
    this.#row = row;
    this.height = Math.min(count, TALLEST) * row;
    this.#pace = count <= TALLEST ? 1 : (count * row - view) / (this.height - view);
  }

  /** The index of the row at the top, with a fraction, at scroll position `place`. */
  rowAt(place: number): number {
    return (place * this.#pace) / this.#row;
  }

  /** The position of a row in the scroller, in px, at scroll position `place`. */
  placeOf(row: number, place: number): number {
    return row * this.#row + place * (1 - this.#pace);
  }

  /** The scroll position at which a row is at the top. */
  placeFor(row: number): number {
    return (row * this.#row) / this.#pace;
  }
}
