import { useLayoutEffect, useRef } from "preact/hooks";
import { useSession } from "../../session/session.ts";

/** The largest number of animation frames to wait for the element that had the focus. */
const PATIENCE = 600;

/**
 * After Back or Forward, restores the scroll position of a list and the focus; otherwise scrolls to the beginning. Acts
 * when the list has rows (`ready`), and again when its length is known (`whole`).
 */
export function useReturn(list: object, ready: boolean, whole: boolean): void {
  const { walk } = useSession();
  const done = useRef<object | undefined>(undefined);
  useLayoutEffect(() => {
    if (!ready || done.current === list) return;
    const { cause, position } = walk.move.value;
    const scroller = document.querySelector(".scroll");
    const back = cause === "choose" || cause === "type" ? undefined : position;
    // Until its length is known, a list may be too short for the stored scroll position.
    if (whole || !back) done.current = list;
    if (cause === "type") return;
    if (scroller) scroller.scrollTop = back?.list ?? 0;
    if (cause !== "load" || back) scrollTo(0, back?.page ?? 0);
    if (!back || back.focus === "") return;
    // The row is drawn after the scroll event and after it is loaded.
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
