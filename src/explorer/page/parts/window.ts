/** Which rows of a long list are drawn, and where: the visible ones and a few more. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The number of rows that are drawn above and below the visible ones. */
const BEYOND = 6;
/** Rows are loaded this many px before they become visible. */
const AHEAD = 600;

interface Seen {
  /** The drawn rows: from `start` up to, but not including, `end`. */
  readonly start: number;
  readonly end: number;
  /** The measured height of a row, in px. */
  readonly height: number;
  /** The scroll position within the rows, in px. */
  readonly scrolled: number;
  readonly view: number;
}

/** The drawn rows of a list, and how rows are positioned. */
interface DrawnRows extends Seen {
  readonly scale: ScrollScale;
}

interface Window extends DrawnRows {
  /** Scrolls a row to about the middle of the visible part. */
  reveal(row: number): void;
}

/**
 * Chooses which of `count` rows of equal height are drawn: those in the visible part of `body` and a few more. `guess` is the height of a row (px) until one is measured. Rows have the attribute `data-row`, rows that are
 * not loaded also `data-blank`. The scroller is the nearest `[data-scroll]`, or the page. Calls `near` with the first
 * and last row that are or will soon be visible.
 */
export function useWindow(
  body: RefObject<HTMLElement | null>,
  count: number,
  guess: number,
  near: (first: number, last: number) => void,
): Window {
  const [span, setSpan] = useState<Seen>(() => ({
    start: 0,
    end: Math.min(count, 40),
    height: guess,
    scrolled: 0,
    view: innerHeight,
  }));
  const latest = useRef({ count, near, span });
  latest.current = { count, near, span };
  const waiting = useRef(0);

  function look(): void {
    const element = body.current;
    if (!element) return;
    const { count, span } = latest.current;
    const row = element.querySelector("[data-row]:not([data-blank])");
    const height = row?.getBoundingClientRect().height || span.height;
    const { top, bottom } = seen(element);
    const scale = new ScrollScale(count, height, bottom - top);
    const scrolled = clamp(top - element.getBoundingClientRect().top, 0, scale.height);
    const first = Math.floor(scale.rowAt(scrolled));
    const last = first + Math.ceil((bottom - top) / height);
    const start = clamp(first - BEYOND, 0, Math.max(0, count - 1));
    const end = clamp(last + BEYOND, start, count);
    // The drawn rows move with the scroll position only in a list that is too long for its full height.
    const moved = scrolled !== span.scrolled && scale.topOf(0, scrolled) !== 0;
    if (moved || start !== span.start || end !== span.end || height !== span.height) {
      const next = (latest.current.span = { start, end, height, scrolled, view: bottom - top });
      // What is visible is drawn already: what a key press did is painted before the rows beyond it are.
      const isDrawn = !moved && first >= span.start && last <= span.end && height === span.height;
      cancelAnimationFrame(waiting.current);
      if (isDrawn) waiting.current = requestAnimationFrame(() => setTimeout(() => setSpan(next)));
      else setSpan(next);
    }
    const ahead = Math.ceil(AHEAD / height);
    latest.current.near(Math.max(0, first - ahead), last + ahead);
  }

  useLayoutEffect(() => {
    addEventListener("scroll", look, { capture: true, passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look, { capture: true });
      removeEventListener("resize", look);
    };
  }, []);
  useLayoutEffect(look);

  // `count` may have changed since the list was measured.
  const scale = new ScrollScale(count, span.height, span.view);
  return {
    ...span,
    scale,
    // The rows were chosen for another list, which may have been longer.
    start: Math.min(span.start, count),
    end: Math.min(span.end, count),
    reveal(row) {
      const element = body.current;
      if (!element) return;
      const { top, bottom } = seen(element);
      const scrolled = top - element.getBoundingClientRect().top;
      boxOf(element).scrollTop += scale.scrollFor(row) - scrolled - (bottom - top) / 2;
    },
  };
}

/** The element that scrolls `element`. */
function boxOf(element: HTMLElement): Element {
  const scroller = element.closest("[data-scroll]");
  return scroller && getComputedStyle(scroller).overflowY !== "visible" ? scroller : document.documentElement;
}

/** The top and bottom of the visible part of an element's scroller, in px of the viewport. */
function seen(element: HTMLElement): { top: number; bottom: number } {
  const box = boxOf(element);
  if (box === document.documentElement) return { top: 0, bottom: innerHeight };
  const { top, bottom } = box.getBoundingClientRect();
  return { top: Math.max(0, top), bottom: Math.min(innerHeight, bottom) };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The rows to draw, with gaps (in px) in place of all others. Row `keep` is drawn wherever it is. */
export function drawnPieces(
  { start, end, height, scrolled, scale }: DrawnRows,
  count: number,
  keep: number | undefined,
): ({ row: number } | { gap: number })[] {
  const rows = Array.from({ length: end - start }, (_, at) => start + at);
  if (keep !== undefined && keep < count) {
    if (keep < start) rows.unshift(keep);
    else if (keep >= end) rows.push(keep);
  }
  const out: ({ row: number } | { gap: number })[] = [];
  let reached = 0;
  const gapTo = (scrolled: number) => {
    if (scrolled - reached > 0.5) out.push({ gap: scrolled - reached });
    reached = Math.max(reached, scrolled);
  };
  for (const row of rows) {
    gapTo(Math.min(scale.topOf(row, scrolled), scale.height - height));
    out.push({ row });
    reached += height;
  }
  gapTo(scale.height);
  return out;
}

/** Up to this many rows have their full height together: browsers limit elements to about 33 million px. */
const TALLEST = 500_000;

/**
 * Converts between rows of equal height and scroll positions. Up to {@link TALLEST} rows move one px per px of
 * scrolling. More rows move faster, so that the end of the scroller is the last row. `scrolled` is a scroll position in px
 * from the beginning of the rows.
 */
export class ScrollScale {
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
  rowAt(scrolled: number): number {
    return (scrolled * this.#pace) / this.#row;
  }

  /** Where in the scrolled element a row must be drawn, in px from its beginning, at scroll position `scrolled`. */
  topOf(row: number, scrolled: number): number {
    return row * this.#row + scrolled * (1 - this.#pace);
  }

  /** The scroll position that shows a row at the top. */
  scrollFor(row: number): number {
    return (row * this.#row) / this.#pace;
  }
}
