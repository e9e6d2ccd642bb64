import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Stretch } from "./stretch.ts";

/** Rows drawn beyond what is seen, on each side, so that scrolling finds them there. */
const BEYOND = 6;
/** How far ahead the next page is asked for, in px (brief, "Budget"). */
const AHEAD = 600;

interface Seen {
  /** The first row to draw and the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Of a row, in px, as measured. */
  readonly height: number;
  /** How far one has scrolled into the rows, in px. */
  readonly place: number;
  /** How much is seen at once, in px. */
  readonly view: number;
}

/** What is drawn of a list, and how its rows lie. */
export interface Span extends Seen {
  readonly stretch: Stretch;
}

interface Window extends Span {
  /** Scrolls until a row is about in the middle of what is seen. */
  reveal(row: number): void;
}

/**
 * Which of `count` rows of one height to draw, so that what is seen of `body` is filled: at most `most` of them.
 * The rows carry `data-row`, those that are blank `data-blank` too. It scrolls within its nearest `[data-scroll]`, or
 * with the page. `near` hears the first and last row that will soon be seen.
 */
export function useWindow(
  body: RefObject<HTMLElement | null>,
  count: number,
  guess: number,
  most: number,
  near: (first: number, last: number) => void,
): Window {
  const [span, setSpan] = useState<Seen>(() => ({
    start: 0,
    end: Math.min(count, 40, most),
    height: guess,
    place: 0,
    view: innerHeight,
  }));
  const latest = useRef({ count, near, span });
  latest.current = { count, near, span };

  function look(): void {
    const element = body.current;
    if (!element) return;
    const { count, span } = latest.current;
    const row = element.querySelector("[data-row]:not([data-blank])");
    const height = row?.getBoundingClientRect().height || span.height;
    const { top, bottom } = seen(element);
    const stretch = new Stretch(count, height, bottom - top);
    const place = clamp(top - element.getBoundingClientRect().top, 0, stretch.height);
    const first = Math.floor(stretch.rowAt(place));
    const last = first + Math.ceil((bottom - top) / height);
    const start = clamp(first - BEYOND, 0, Math.max(0, count - 1));
    const end = clamp(last + BEYOND, start, Math.min(count, start + most));
    // Where rows lie at their own places, they stay there while one scrolls.
    const moved = place !== span.place && stretch.placeOf(0, place) !== 0;
    if (moved || start !== span.start || end !== span.end || height !== span.height) {
      latest.current.span = { start, end, height, place, view: bottom - top };
      setSpan(latest.current.span);
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

  // As long as the list is now, also before that was looked at.
  const stretch = new Stretch(count, span.height, span.view);
  return {
    ...span,
    stretch,
    // A shorter list must not be drawn with the span of a longer one.
    start: Math.min(span.start, count),
    end: Math.min(span.end, count),
    reveal(row) {
      const element = body.current;
      if (!element) return;
      const { top, bottom } = seen(element);
      const place = top - element.getBoundingClientRect().top;
      boxOf(element).scrollTop += stretch.placeFor(row) - place - (bottom - top) / 2;
    },
  };
}

/** What an element scrolls in. */
function boxOf(element: HTMLElement): Element {
  const scroller = element.closest("[data-scroll]");
  return scroller && getComputedStyle(scroller).overflowY !== "visible" ? scroller : document.documentElement;
}

/** What can be seen of an element's scroller, in px of the viewport. */
function seen(element: HTMLElement): { top: number; bottom: number } {
  const box = boxOf(element);
  if (box === document.documentElement) return { top: 0, bottom: innerHeight };
  const { top, bottom } = box.getBoundingClientRect();
  return { top: Math.max(0, top), bottom: Math.min(innerHeight, bottom) };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The rows to draw, with the gaps between them in px: those of the span, and one more that must not go. */
export function pieces(
  { start, end, height, place, stretch }: Span,
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
  const gapTo = (place: number) => {
    if (place - reached > 0.5) out.push({ gap: place - reached });
    reached = Math.max(reached, place);
  };
  for (const row of rows) {
    gapTo(Math.min(stretch.placeOf(row, place), stretch.height - height));
    out.push({ row });
    reached += height;
  }
  gapTo(stretch.height);
  return out;
}
