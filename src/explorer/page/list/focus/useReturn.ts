import { useLayoutEffect, useRef } from "preact/hooks";
import { useSession } from "../../session/session.ts";

/** The number of frames to wait for the row that had the focus. */
const PATIENCE = 600;

/**
 * Restores the scroll position of a list on Back or Forward, otherwise scrolls to its beginning. Waits until the list
 * has rows, and again until their number is known (`whole`).
 */
export function useReturn(list: object, ready: boolean, whole: boolean): void {
  const { walk } = useSession();
  const done = useRef<object | undefined>(undefined);
  useLayoutEffect(() => {
    if (!ready || done.current === list) return;
    const { cause, position } = walk.move.value;
    const scroller = document.querySelector(".scroll");
    const back = cause === "choose" || cause === "type" ? undefined : position;
    // A list whose length is not known yet may still be too short for the stored scroll position.
    if (whole || !back) done.current = list;
    if (cause === "type") return;
    if (scroller) scroller.scrollTop = back?.list ?? 0;
    if (cause !== "load" || back) scrollTo(0, back?.page ?? 0);
    if (!back || back.focus === "") return;
    // The row is drawn after the scroll event, once it has been read.
    let frames = PATIENCE;
    const focus = () => {
      if (document.activeElement !== document.body) return;
      const target = document.getElementById(back.focus);
      target?.focus({ preventScroll: true });
      if (!target && frames-- > 0) requestAnimationFrame(focus);
    };
    requestAnimationFrame(focus);
  }, [list, ready, whole]);
}
