import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { keyFor } from "../../parts/keyFor.ts";
import { keep, kept } from "../../session/kept.ts";

const KEY = "side";
/** Widths of the column in px. */
const USUAL = 264;
const LEAST = 200;
const MOST = 560;
const STEP = 16;

/**
 * The right edge of the directory. Dragging it, or arrow keys, change the width of the directory; a double click resets
 * it.
 */
export function Edge() {
  const [width, setWidth] = useState(() => Number(kept(KEY)) || USUAL);
  const edge = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    edge.current?.closest<HTMLElement>("#page")?.style.setProperty("--side", `${width}px`);
  }, [width]);
  function set(wanted: number): void {
    const next = Math.round(Math.max(LEAST, Math.min(MOST, innerWidth / 2, wanted)));
    keep(KEY, String(next));
    setWidth(next);
  }
  return (
    <div
      ref={edge}
      class="edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the directory"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) set(event.clientX);
      }}
      onDblClick={() => set(USUAL)}
      onKeyDown={(event) => {
        const to = { ArrowLeft: width - STEP, ArrowRight: width + STEP, Home: LEAST, End: MOST }[
          keyFor(event)
        ];
        if (to === undefined) return;
        event.preventDefault();
        set(to);
      }}
    />
  );
}
