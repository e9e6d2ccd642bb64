/** Up to this many rows have their full height together: browsers limit elements to about 33 million px. */
const TALLEST = 500_000;

/**
 * Converts between rows of equal height and scroll positions. Up to {@link TALLEST} rows move one px per px of
 * scrolling. More rows move faster, so that the end of the scroller is the last row. `place` is a scroll position in px
 * from the beginning of the rows.
 */
export class Stretch {
  /** The height of the scrolled element, in px. */
  readonly height: number;
  readonly #row: number;
  /** The px that the rows move per px of scrolling. */
  readonly #pace: number;

  /** `row` is the height of one row, `view` that of the visible part, both in px. */
  constructor(count: number, row: number, view: number) {
    this.#row = row;
    this.height = Math.min(count, TALLEST) * row;
    this.#pace = count <= TALLEST ? 1 : (count * row - view) / (this.height - view);
  }

  /** The index of the row at the top of the visible part, with a fraction. */
  rowAt(place: number): number {
    return (place * this.#pace) / this.#row;
  }

  /** Where in the scrolled element a row must be drawn, in px from its beginning, at scroll position `place`. */
  placeOf(row: number, place: number): number {
    return row * this.#row + place * (1 - this.#pace);
  }

  /** The scroll position that shows a row at the top. */
  placeFor(row: number): number {
    return (row * this.#row) / this.#pace;
  }
}
