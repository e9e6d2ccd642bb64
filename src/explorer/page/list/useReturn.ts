import { useLayoutEffect, useRef } from "preact/hooks";
import { useSession } from "../session.ts";

/**
 * Puts a list where it was when one left it, if one came back to it, otherwise to its beginning. Waits until the
 * list has rows.
 */
export function useReturn(list: object, ready: boolean): void {
  const { walk } = useSession();
  const done = useRef<object | undefined>(undefined);
  useLayoutEffect(() => {
    if (!ready || done.current === list) return;
    done.current = list;
    const { cause, position } = walk.move.value;
    const scroller = document.querySelector(".scroll");
    if (cause === "type") return;
    const back = cause === "return" ? position : undefined;
    if (scroller) scroller.scrollTop = back?.list ?? 0;
    if (cause !== "load") scrollTo(0, back?.page ?? 0);
    if (!back || back.focus === "") return;
    // The row is drawn once the scroll event was heard.
    let frames = 5;
    const focus = () => {
      const target = document.getElementById(back.focus);
      target?.focus({ preventScroll: true });
      if (!target && frames-- > 0) requestAnimationFrame(focus);
    };
    requestAnimationFrame(focus);
  }, [list, ready]);
}
