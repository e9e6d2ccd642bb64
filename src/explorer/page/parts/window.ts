import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows drawn beyond what is seen, on each side, so that scrolling finds them there. */
const BEYOND = 6;
/** How far ahead the next page is asked for, in px (brief, "Budget"). */
const AHEAD = 600;

export interface Span {
  /** The first row to draw and the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Of a row, in px, as measured. */
  readonly height: number;
}

/**
 * Which of `count` rows of one height to draw, so that what is seen of `body` is filled: at most `most` of them.
 * The rows carry `data-row`. It scrolls within its nearest `[data-scroll]`, or with the page. `near` hears the
 * first and last row that will soon be seen.
 */
export function useWindow(
  body: RefObject<HTMLElement | null>,
  count: number,
  guess: number,
  most: number,
  near: (first: number, last: number) => void,
): Span {
  const [span, setSpan] = useState<Span>({ start: 0, end: Math.min(count, 40, most), height: guess });
  const latest = useRef({ count, near, span });
  latest.current = { count, near, span };

  function look(): void {
    const element = body.current;
    if (!element) return;
    const { count, span } = latest.current;
    const row = element.querySelector("[data-row]");
    const height = row?.getBoundingClientRect().height || guess;
    const { top, bottom } = seen(element);
    const at = element.getBoundingClientRect().top;
    const first = Math.floor((top - at) / height);
    const last = Math.ceil((bottom - at) / height);
    const start = clamp(first - BEYOND, 0, Math.max(0, count - 1));
    const end = clamp(last + BEYOND, start, Math.min(count, start + most));
    if (start !== span.start || end !== span.end || height !== span.height) {
      latest.current.span = { start, end, height };
      setSpan({ start, end, height });
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

  // A shorter list must not be drawn with the span of a longer one.
  return { ...span, start: Math.min(span.start, count), end: Math.min(span.end, count) };
}

/** What can be seen of an element's scroller, in px of the viewport. */
function seen(element: HTMLElement): { top: number; bottom: number } {
  const scroller = element.closest("[data-scroll]");
  if (scroller && getComputedStyle(scroller).overflowY !== "visible") {
    const { top, bottom } = scroller.getBoundingClientRect();
    return { top: Math.max(0, top), bottom: Math.min(innerHeight, bottom) };
  }
  return { top: 0, bottom: innerHeight };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The rows to draw, with the gaps between them: those of the span, and one more that must not go. */
export function pieces(
  span: Span,
  count: number,
  keep: number | undefined,
): ({ row: number } | { gap: number })[] {
  const rows = Array.from({ length: span.end - span.start }, (_, at) => span.start + at);
  if (keep !== undefined && keep < count) {
    if (keep < span.start) rows.unshift(keep);
    else if (keep >= span.end) rows.push(keep);
  }
  const out: ({ row: number } | { gap: number })[] = [];
  let next = 0;
  for (const row of rows) {
    if (row > next) out.push({ gap: row - next });
    out.push({ row });
    next = row + 1;
  }
  if (next < count) out.push({ gap: count - next });
  return out;
}
